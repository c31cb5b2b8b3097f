/** A plan's values in the form in which they are compared and shown. */
import { CAP_WINDOWS, type CapLimits, type LimitKey } from './capLimits.js';
import { fromMicros } from '../../fields/money.js';
import { getOwn } from '../../lib/getOwn.js';

/** A map holds records by their id, with the name they are listed by. */
export type Shape =
  | string
  | number
  | boolean
  | null
  | undefined
  | Hidden
  | readonly Shape[]
  | ReadonlyMap<string, { label: string; value: Shape }>
  | { [key: string]: Shape };

/** A value that is compared and never shown. */
export class Hidden {
  readonly #text: string;
  constructor(value: unknown) {
    this.#text = canonical(value);
  }
  equals(other: Hidden): boolean {
    return this.#text === other.#text;
  }
}

/** Every limit by its name on the wire, budgets in currency, null where there is none. */
export const capsShape = (limits: CapLimits): Required<CapLimits> => ({
  ...(Object.fromEntries(
    CAP_WINDOWS.flatMap(({ cap, budget }) => {
      const amount = limits[budget];
      return [
        [cap, limits[cap] ?? null],
        [budget, amount == null ? null : fromMicros(amount)],
      ];
    }),
  ) as Record<LimitKey, number | null>),
  daily_caps: limits.daily_caps ?? null,
});

/** Whether two values are equal, in any order of their keys; null equals absent. */
export function sameShape(a: Shape, b: Shape): boolean {
  if (a instanceof Hidden && b instanceof Hidden) return a.equals(b);
  if (a instanceof Map || b instanceof Map) return false;
  if (!isObject(a) || !isObject(b)) return (a ?? null) === (b ?? null);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => sameShape(getOwn(a, key), getOwn(b, key)));
}

const isObject = (value: Shape): value is { [key: string]: Shape } =>
  typeof value === 'object' && value !== null && !(value instanceof Hidden);

const HIDDEN = '[hidden]';
const TEXT_MAX = 300;
const LIST_MAX = 20;
const VALUE_MAX = 4_000;

/** The value as it is shown: lists cut after 20 entries and texts after 300 characters, hidden values left out. */
export function plain(shape: Shape): unknown {
  if (shape instanceof Hidden) return HIDDEN;
  const value = cut(shape);
  const text = JSON.stringify(value);
  return text.length <= VALUE_MAX
    ? value
    : `${text.slice(0, VALUE_MAX)}… (${text.length} characters)`;
}

function cut(shape: Shape): unknown {
  if (typeof shape === 'string')
    return shape.length > TEXT_MAX ? `${shape.slice(0, TEXT_MAX)}…` : shape;
  if (Array.isArray(shape)) {
    const list = shape as readonly Shape[];
    const shown = list.slice(0, LIST_MAX).map(cut);
    return list.length > LIST_MAX ? [...shown, `… ${list.length - LIST_MAX} more`] : shown;
  }
  if (!isObject(shape)) return shape ?? null;
  // Limits and settings that a record does not set are left out.
  const present = Object.entries(shape).filter(
    ([, inner]) => inner != null && !(inner instanceof Hidden),
  );
  return Object.fromEntries(present.map(([key, inner]) => [key, cut(inner)]));
}

/** JSON with its keys in order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
