/** What lists take from the table's library. */
import {
  columnVisibilityFeature,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table';

export const FEATURES = tableFeatures({
  columnVisibilityFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
});
export type Features = typeof FEATURES;

/** A record as the table's library takes it, which asks more of a row's type than a screen has to. */
export interface Item<R> {
  record: R;
}
