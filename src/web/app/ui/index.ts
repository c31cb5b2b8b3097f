/** The parts that screens are made of. `/portal/design` shows each of them. */
export { Button } from './button.js';
export { Chart } from './chart.js';
export { Code, Copied, Copy } from './copy.js';
export { Confirm, Confirmed, ConfirmedForm, Dialog, FormButton } from './dialog.js';
export {
  Checkbox,
  DateRange,
  Field,
  Filter,
  MoneyField,
  Select,
  TextArea,
  type Option,
} from './fields.js';
export { Form } from './form.js';
export { Meter } from './meter.js';
export { Facts, Page, Section, type Fact } from './page.js';
export { EmptyState, ErrorState, Loaded, Skeleton } from './states.js';
export { Paged, PagedTable, Pager, Table, type Column } from './table.js';
export { Timeline, type TimelineItem } from './timeline.js';
export { useToast } from './toast.js';
export {
  Badge,
  badgeOf,
  Day,
  Money,
  Percent,
  Time,
  WordBadge,
  Written,
  type Tone,
  type Word,
} from './values.js';
