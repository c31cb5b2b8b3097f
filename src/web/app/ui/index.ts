/** The parts that screens are made of. `/portal/design` shows each of them. */
export { Badge, type Tone } from './badge.js';
export { Button } from './button.js';
export { Chart } from './chart.js';
export { Code, Copy } from './copy.js';
export { Confirm, Dialog } from './dialog.js';
export { Checkbox, DateRange, Field, Select, TextArea, type Option } from './fields.js';
export { Form } from './form.js';
export { Meter } from './meter.js';
export { Facts, Page, Section } from './page.js';
export { EmptyState, ErrorState, Loaded, Skeleton } from './states.js';
export { Pager, Table, type Column } from './table.js';
export { useToast } from './toast.js';
export { Day, Money, Percent, Time, Written } from './values.js';
