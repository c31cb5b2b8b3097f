import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import './charts.css';

interface HeatLine {
  /** Unique in its list. */
  key: string;
  label: string;
}

export interface HeatMapProps {
  title: string;
  rows: readonly HeatLine[];
  columns: readonly HeatLine[];
  /** Null: nothing is known there. */
  value(row: string, column: string): number | null;
  format(value: number): string;
  /** A click on a cell, or Enter. */
  onPick?: (row: string, column: string) => void;
}

/** The steps of color, `--heat-0` for the least to `--heat-6` for the most. */
const STEPS = 7;

/** A value for each pair of a row and a column, as a color; pointing at a cell, or moving to it by arrow keys, says it. */
export function HeatMap(props: HeatMapProps): ReactNode {
  const { title, rows, columns, value, format, onPick } = props;
  const [at, setAt] = useState<[row: number, column: number]>([0, 0]);
  const table = useRef<HTMLTableElement>(null);
  const values = rows.map((row) => columns.map((column) => value(row.key, column.key)));
  const most = Math.max(0, ...values.flat().map((one) => one ?? 0));
  const textOf = ([row, column]: [number, number]): string => {
    const known = values[row]?.[column] ?? null;
    const place = `${rows[row]?.label ?? ''}, ${columns[column]?.label ?? ''}`;
    return `${place}: ${known === null ? 'nothing' : format(known)}`;
  };
  const press = (event: KeyboardEvent): void => {
    const [row, column] = [rows[at[0]], columns[at[1]]];
    if (event.key === 'Enter' && row && column) onPick?.(row.key, column.key);
    const next = movedBy(event.key, at, [rows.length, columns.length]);
    if (!next) return;
    event.preventDefault();
    setAt(next);
    table.current?.rows[next[0] + 1]?.cells[next[1] + 1]?.focus();
  };
  return (
    <figure className="chart heat">
      <div className="chart-head">
        <figcaption>{title}</figcaption>
        <p className="heat-said" aria-hidden="true">
          {textOf(at)}
        </p>
      </div>
      <div className="heat-scroll">
        <table ref={table} role="grid" onKeyDown={press}>
          <caption className="hidden">{title}</caption>
          <thead>
            <tr>
              <td />
              {columns.map(({ key, label }) => (
                <th key={key} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, label }, row) => (
              <tr key={key}>
                <th scope="row">
                  <bdi>{label}</bdi>
                </th>
                {columns.map((column, nth) => (
                  <td
                    key={column.key}
                    className={`heat-cell heat-${stepOf(values[row]?.[nth] ?? null, most)}`}
                    aria-label={textOf([row, nth])}
                    tabIndex={row === at[0] && nth === at[1] ? 0 : -1}
                    onFocus={() => setAt([row, nth])}
                    onPointerEnter={() => setAt([row, nth])}
                    onClick={() => onPick?.(key, column.key)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <HeatLegend most={format(most)} />
    </figure>
  );
}

function HeatLegend({ most }: { most: string }): ReactNode {
  return (
    <p className="heat-legend" aria-hidden="true">
      <span>0</span>
      {Array.from({ length: STEPS }, (_, step) => (
        <span key={step} className={`swatch heat-${step}`} />
      ))}
      <span>{most}</span>
    </p>
  );
}

/** Whatever is above 0 differs from 0. */
function stepOf(value: number | null, most: number): number {
  if (value === null || value <= 0 || most === 0) return 0;
  return Math.min(STEPS - 1, Math.max(1, Math.ceil((value / most) * (STEPS - 1))));
}

function movedBy(
  key: string,
  [row, column]: [number, number],
  [rows, columns]: [number, number],
): [number, number] | null {
  const within = (at: number, count: number): number => Math.min(count - 1, Math.max(0, at));
  const steps: Record<string, [number, number]> = {
    ArrowRight: [row, column + 1],
    ArrowLeft: [row, column - 1],
    ArrowDown: [row + 1, column],
    ArrowUp: [row - 1, column],
    Home: [row, 0],
    End: [row, columns - 1],
  };
  const next = steps[key];
  return next ? [within(next[0], rows), within(next[1], columns)] : null;
}
