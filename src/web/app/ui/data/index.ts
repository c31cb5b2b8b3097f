/** Lists of records: tables, filters, acts on many, the detail beside. */
export { BulkBar } from './bulkBar.js';
export type { DataColumn } from './columns.js';
export { DataTable, PagedDataTable, type DataTableProps } from './dataTable.js';
export { readSpan, useDaySpan, useToday, writeSpan, type DaySpan } from './daySpan.js';
export { DropDown } from './dropDown.js';
export { FilterBar } from './filterBar.js';
export { valuesOf, type FilterSpec, type FilterValues, type RecordSource } from './filterSpec.js';
export { SidePanel, WithPanel } from './sidePanel.js';
