import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format.js';
import { changeOf, Tile, Tiles } from '../../ui/index.js';
import { MEASURES, textOf } from './measures.js';
import type { Report } from './query.js';

const SHOWN = new Set(['count', 'accepted', 'revenue', 'profit', 'margin_pct']);

/** All lines together, beside the compared days. */
export function Totals({ report }: { report: Report }): ReactNode {
  const formats = useFormats();
  const { total, total_before: before } = report;
  return (
    <Tiles>
      {MEASURES.filter(({ value }) => SHOWN.has(value)).map((measure) => (
        <Tile
          key={measure.value}
          label={measure.label}
          value={textOf(measure, total, formats)}
          change={
            before
              ? changeOf(measure.of(total), measure.of(before), {
                  good: measure.good,
                  than: 'than before',
                })
              : undefined
          }
        />
      ))}
    </Tiles>
  );
}
