/** The rows of a long list: loaded when a list is long. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useImperativeHandle, type ReactNode, type Ref } from 'react';
import { DataRow, type RowsProps } from './dataRows.js';

export type ScrollTo = (index: number) => void;

interface VirtualRowsProps<R> extends RowsProps<R> {
  region: HTMLElement | null;
  scrollTo: Ref<ScrollTo>;
}

const ROW_PIXELS = 36;
/** Drawn beyond those in sight, so that scrolling shows no gap. */
const OVERSCAN = 12;

/** Only the rows in sight are drawn; the room of the others is kept. */
export default function VirtualRows<R>({
  region,
  scrollTo,
  ...props
}: VirtualRowsProps<R>): ReactNode {
  const virtual = useVirtualizer({
    count: props.rows.length,
    getScrollElement: () => region,
    estimateSize: () => ROW_PIXELS,
    getItemKey: (index) => props.rows[index]?.id ?? index,
    overscan: OVERSCAN,
  });
  useImperativeHandle(scrollTo, () => (index: number) => virtual.scrollToIndex(index));
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <tbody role="rowgroup">
      <Gap height={before} />
      {items.map(({ index }) => {
        const row = props.rows[index];
        return (
          row && (
            <DataRow
              key={row.id}
              {...props}
              row={row}
              index={index}
              measure={virtual.measureElement}
            />
          )
        );
      })}
      <Gap height={after} />
    </tbody>
  );
}

const Gap = ({ height }: { height: number }): ReactNode =>
  height > 0 && (
    <tr role="presentation" className="gap">
      <td
        role="presentation"
        ref={(cell) => {
          if (cell) cell.style.height = `${height}px`;
        }}
      />
    </tr>
  );
