import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format.js';
import { Tile, Tiles } from '../../ui/index.js';
import { changeIn, MEASURES, textOf } from './measures.js';
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
          value={
            measure.unit === 'money'
              ? formats.sum(measure.of(total))
              : textOf(measure, total, formats)
          }
          change={before ? changeIn(measure, total, before, 'than before') : undefined}
        />
      ))}
    </Tiles>
  );
}
