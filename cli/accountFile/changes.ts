/** The differences between the settings of two records. */
import { shapeChanges, type PlanChange } from '../../src/account/rules/planChanges.js';
import { sameShape, type Shape } from '../../src/account/rules/planShape.js';
import { HIDDEN_HEADER } from '../../src/account/buyers/delivery/headers.js';
import { SYSTEM_FIELDS } from '../../src/fields/mapping.js';
import { isRow, type Row } from '../output/rows.js';
import { inOrder } from './fileSchema.js';
import type { Named, StoredCampaign, Terms } from './model.js';
import { getOwn } from '../../src/lib/getOwn.js';

/**
 * @param before undefined for a new record: then every wanted setting is new
 * @param wanted in normal form
 * @param written the settings in the file; no others are compared
 */
export function changesOf(before: Terms | undefined, wanted: Terms, written: Terms): PlanChange[] {
  return Object.keys(wanted).flatMap((key) => {
    const was = before ? getOwn(before, key) : key === 'fields' ? SYSTEM_FIELDS : null;
    const [from, to] = narrowed(key, was ?? null, getOwn(wanted, key), getOwn(written, key));
    const changes = shapeChanges(key, shapeOf(key, from), shapeOf(key, to));
    return changes.length === 0 && key === 'fields' ? orderChange(from, to) : changes;
  });
}

/** Settings that may have headers. */
const WITH_HEADERS: ReadonlySet<string> = new Set(['delivery', 'ping', 'target']);

/** Of a delivery or ping only the settings in the file, and its method. */
function narrowed(key: string, from: unknown, to: unknown, written: unknown): [unknown, unknown] {
  if (!WITH_HEADERS.has(key) || !isRow(written) || !isRow(to)) return [from, to];
  const keys = Object.keys(to).filter((one) => one === 'method' || one in written);
  const pick = (row: unknown): Row | null =>
    isRow(row) ? Object.fromEntries(keys.map((one) => [one, getOwn(row, one) ?? null])) : null;
  const headers = keys.includes('headers') ? hiddenHeaders(to.headers) : {};
  return [pick(from), { ...pick(to), ...headers }];
}

/** New header values are never shown. */
function hiddenHeaders(headers: unknown): Row {
  if (!isRow(headers)) return {};
  const shown = Object.entries(headers).map(([name, value]) => [
    name,
    value === HIDDEN_HEADER ? HIDDEN_HEADER : NEW_VALUE,
  ]);
  return { headers: Object.fromEntries(shown) as Row };
}

/** Stands for a value that is not shown. */
export const NEW_VALUE = '[new value]';

/** The form that is compared: unordered lists are sorted, fields are matched by name, headers in any case. */
function shapeOf(key: string, value: unknown): Shape {
  if (key === 'fields' && Array.isArray(value)) return fieldMap(value);
  if (WITH_HEADERS.has(key) && isRow(value) && isRow(value.headers)) {
    const headers = Object.entries(value.headers).map(([name, text]) => [name.toLowerCase(), text]);
    return { ...value, headers: Object.fromEntries(headers) as Shape };
  }
  return inOrder(key, value) as Shape;
}

const fieldMap = (fields: readonly unknown[]): Shape =>
  new Map(
    fields.filter(isRow).map((field) => {
      const name = String(field.name);
      return [name, { label: name, value: field as Shape }];
    }),
  );

/** People read fields in their order, so it counts. */
function orderChange(from: unknown, to: unknown): PlanChange[] {
  const [a, b] = [from, to].map((list) =>
    (Array.isArray(list) ? list.filter(isRow) : []).map(({ name }) => String(name)),
  );
  return sameShape(a, b) ? [] : [{ path: 'fields (order)', from: a, to: b }];
}

/** Whether a record has not changed since it was read. */
export const sameTerms = (a: Terms, b: Terms): boolean => sameShape(a as Shape, b as Shape);

/** The same for a campaign with all its terms, whatever its version. */
export const sameCampaign = (a: StoredCampaign, b: StoredCampaign): boolean =>
  sameTerms(a.terms, b.terms) &&
  sameLinks(a.buyers, b.buyers) &&
  sameLinks(a.suppliers, b.suppliers);

const sameLinks = (a: readonly Named[], b: readonly Named[]): boolean => {
  const [first, second] = [a, b].map((links) =>
    Object.fromEntries(links.map(({ name, terms }) => [name, terms])),
  );
  return sameTerms(first ?? {}, second ?? {});
};
