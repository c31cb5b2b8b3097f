/** An account as YAML: the same account gives the same text. */
import { Document, isScalar, isSeq, visit } from 'yaml';
import { isDeepStrictEqual } from 'node:util';
import { SYSTEM_FIELDS } from '../../src/fields/systemFields.js';
import { isRow } from '../output/rows.js';
import { FILE_VERSION, inOrder } from './fileSchema.js';
import { byName, type Account, type Named, type Terms } from './model.js';

const HEADING = ` An account of Leadwire. Records are known by their names; money is in the account's currency.
 leadwire diff -f FILE shows what the account has otherwise, and leadwire apply -f FILE changes it.
 What is not named here stays as it is. Of caps, fields and other lists what is named is all that there is.
 Visitors of a funnel see its definition where published is true.
 Not in here: keys and secrets ("[hidden]" keeps the value of a header, or the address of a Slack webhook), people on
 suppression lists, webhooks that suppliers have set up themselves.`;

/** Maximum characters of a line, where it can be broken. */
const WIDTH = 100;

/** @param account with all settings */
export function writeFile(account: Account): string {
  const document = new Document({
    version: FILE_VERSION,
    buyers: byName(account.buyers).map(named),
    suppliers: byName(account.suppliers).map(named),
    campaigns: byName(account.campaigns).map((campaign) => ({
      ...named(campaign),
      buyers: byName(campaign.buyers).map(({ name, terms }) => ({ buyer: name, ...tidy(terms) })),
      suppliers: byName(campaign.suppliers).map(({ name, terms }) => ({
        supplier: name,
        ...tidy(terms),
      })),
    })),
    ...(account.funnels.length > 0 ? { funnels: byName(account.funnels).map(named) } : {}),
    ...(account.automations.length > 0
      ? { automations: byName(account.automations).map(named) }
      : {}),
  });
  document.commentBefore = HEADING;
  visit(document, {
    // A list of words, and a short map, are written on one line.
    Seq: (_key, seq) => {
      if (seq.items.every((item) => isScalar(item))) seq.flow = true;
    },
    Map: (_key, map) => {
      const isPlain = map.items.every(
        ({ value }) => isScalar(value) || (isSeq(value) && !isDeep(value)),
      );
      if (isPlain && JSON.stringify(map).length <= SHORT) map.flow = true;
    },
  });
  return document.toString({ lineWidth: WIDTH, flowCollectionPadding: true });
}

/** Maximum length of a map on one line, in characters of JSON. */
const SHORT = 100;

const isDeep = ({ items }: { items: unknown[] }): boolean => items.some((item) => !isScalar(item));

const named = ({ name, terms }: Named) => ({ name, ...tidy(terms) });

/** Unordered lists are sorted; the system's own fields are left out. */
const tidy = (terms: Terms): Terms =>
  Object.fromEntries(
    Object.entries(terms).map(([key, value]) => [
      key,
      key === 'fields' && Array.isArray(value) ? ownFields(value) : inOrder(key, value),
    ]),
  );

/** False by default in a file. */
const OFF: ReadonlySet<string> = new Set(['required', 'ping_required']);

const ownFields = (merged: readonly unknown[]): unknown[] =>
  merged
    .filter((field) => !SYSTEM_FIELDS.some((system) => isDeepStrictEqual(system, field)))
    .map((field) =>
      isRow(field)
        ? Object.fromEntries(
            Object.entries(field).filter(([key, value]) => !(OFF.has(key) && value === false)),
          )
        : field,
    );
