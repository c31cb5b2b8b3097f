/** The steps of a lead as a tree: rounds of asking buyers under the step that began them. */
import type { Paint } from './paint.js';
import { paintCell, visible } from './cells.js';
import { fit } from './width.js';

export interface TrailStep {
  /** ISO 8601, UTC. */
  at: string;
  step: string;
  result: string;
  buyer_id: string | null;
  reason: string | null;
  detail: Record<string, unknown> | null;
}

export interface TreeOptions {
  names: ReadonlyMap<string, string>;
  paint: Paint;
  /** Width of the terminal; null: nothing is cut. */
  width: number | null;
  /** Includes the values of each step. */
  withValues: boolean;
}

/** Times are since the first step; steps in the same millisecond share one time. */
export function formatTree(steps: readonly TrailStep[], options: TreeOptions): string {
  const start = Date.parse(steps[0]?.at ?? '');
  const times = steps.map(({ at }) => elapsed(Date.parse(at) - start));
  const width = Math.max(0, ...times.map((time) => time.length));
  const groups = grouped(steps);
  const lines = groups.flatMap(({ step, children }, n) => {
    const isLast = n === groups.length - 1;
    const stem = isLast ? '   ' : '│  ';
    return [
      lineOf(step, isLast ? '└─ ' : '├─ '),
      ...valuesOf(step, stem),
      ...children.flatMap((child, m) => {
        const isLastChild = m === children.length - 1;
        return [
          lineOf(child, `${stem}${isLastChild ? '└─ ' : '├─ '}`),
          ...valuesOf(child, `${stem}${isLastChild ? '   ' : '│  '}`),
        ];
      }),
    ];
  });
  return lines.join('\n');

  function lineOf(one: TrailStep, branch: string): string {
    const { names, paint } = options;
    const time = elapsed(Date.parse(one.at) - start).padStart(width);
    const buyer = one.buyer_id === null ? [] : [names.get(one.buyer_id) ?? one.buyer_id];
    const words = [one.step, one.result, ...buyer, ...(one.reason === null ? [] : [one.reason])];
    const [step = '', result = '', ...rest] = words.map(visible);
    const room = options.width === null ? Infinity : options.width - branch.length - width - 2;
    const used = step.length + result.length + 4;
    const tail = fit(rest.join('  '), Math.max(10, room - used));
    const painted = [paint.bold(step), paintCell('result', result, paint), tail].filter(Boolean);
    return `${branch}${paint.dim(time)}  ${painted.join('  ')}`.trimEnd();
  }

  function valuesOf({ detail }: TrailStep, stem: string): string[] {
    if (!options.withValues || detail === null) return [];
    return Object.entries(detail).map(([key, value]) => {
      const text = `${stem}${' '.repeat(width + 2)}${key}: ${visible(JSON.stringify(value))}`;
      return options.paint.dim(options.width === null ? text : fit(text, options.width));
    });
  }
}

interface Group {
  step: TrailStep;
  children: TrailStep[];
}

/** A step about a buyer belongs to the previous step about the lead. */
function grouped(steps: readonly TrailStep[]): Group[] {
  const groups: Group[] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (step.buyer_id !== null && last) last.children.push(step);
    else groups.push({ step, children: [] });
  }
  return groups;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

function elapsed(ms: number): string {
  if (Number.isNaN(ms)) return '?';
  if (ms < SECOND) return `+${ms} ms`;
  if (ms < 2 * MINUTE) return `+${(ms / SECOND).toFixed(1)} s`;
  const minutes = Math.round(ms / MINUTE);
  return minutes < 120 ? `+${minutes} min` : `+${(minutes / 60).toFixed(1)} h`;
}
