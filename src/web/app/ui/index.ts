/** The parts that screens are made of. `/portal/design` shows each of them. */
export { Button, IconButton, type ButtonKind } from './button.js';
export { Combobox } from './combobox.js';
export {
  AreaChart,
  BarChart,
  Chart,
  HeatMap,
  LineChart,
  Sparkline,
  type ChartMark,
  type ChartPoint,
  type Series,
} from './charts/index.js';
export { Code, Copied, Copy } from './copy.js';
export { Confirm, Confirmed, ConfirmedForm, Dialog, FormButton } from './dialog.js';
export { Diff } from './diff.js';
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
export { Menu, type MenuItem } from './menu.js';
export { Meter } from './meter.js';
export { Notice } from './notice.js';
export { Facts, Page, Section, type Fact, type TabLink } from './page.js';
export { EmptyState, ErrorState, Loaded, Skeleton } from './states.js';
export { Paged, PagedTable, Pager, Table, type Column } from './table.js';
export { changeOf, pointsOf, Tile, Tiles, type Change } from './tile.js';
export { Timeline, type TimelineItem } from './timeline.js';
export { useToast } from './toast.js';
export {
  Badge,
  badgeOf,
  Chip,
  Day,
  Money,
  Percent,
  Time,
  WordBadge,
  Written,
  type Tone,
  type Word,
} from './values.js';
