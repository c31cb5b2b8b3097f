/** Lists of records: tables, filters, acts on many, the detail beside. */
export { BulkBar } from './bulkBar.js';
export { keptColumns, type DataColumn } from './columns.js';
export { DataTable, PagedDataTable } from './dataTable.js';
export { readSpan, useDateOf, useDaySpan, useToday, type DaySpan } from './daySpan.js';
export { DropDown } from './dropDown.js';
export { FilterBar } from './filterBar.js';
export type { FilterSpec, FilterValues, RecordSource } from './filterSpec.js';
export { COLUMNS_PARAM } from './namedColumns.js';
export { SidePanel, WithPanel } from './sidePanel.js';
