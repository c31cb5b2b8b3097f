/** Funnels of a file: matched by their names, with their whole definitions. */
import { normalizeInput } from '../../src/api/actions/normalizeInput.js';
import type { PlanChange } from '../../src/account/rules/planChanges.js';
import { sameShape, type Shape } from '../../src/account/rules/planShape.js';
import { FunnelDefinition } from '../../src/funnels/rules/definition.js';
import { readDefinition } from '../../src/funnels/rules/readDefinition.js';
import { getOwn } from '../../src/lib/getOwn.js';
import type { Client } from '../client/client.js';
import { isRow, type Row } from '../output/rows.js';
import type { Difference, Step } from './difference.js';
import {
  found,
  type Comparison,
  type Complain,
  type Path,
  type StoredFunnel,
  type Terms,
  type Written,
  mustExist,
} from './model.js';

/** The links and the template of a funnel cannot be changed. */
const FIXED = ['template', 'campaign', 'supplier'] as const;

/** A funnel as `get_funnel` returns it; null where its campaign or supplier is gone: no file can create it. */
export function storedFunnel(view: Row): StoredFunnel | null {
  const nameOf = (one: unknown) => (isRow(one) && typeof one.name === 'string' ? one.name : null);
  const [campaign, supplier] = [nameOf(view.campaign), nameOf(view.supplier)];
  if (campaign === null || supplier === null) return null;
  const { template, slug, definition } = view;
  const published = view.status === 'published';
  return {
    id: String(view.id),
    name: String(view.name),
    version: Number(view.version),
    terms: { template, campaign, supplier, slug, published, definition },
  };
}

/** @throws {Refused | Unreachable} */
export async function readFunnel(client: Client, id: string): Promise<StoredFunnel | null> {
  const { data } = await client.run('get_funnel', { funnel_id: id, pictures: true });
  return isRow(data) ? storedFunnel(data) : null;
}

/** The differences of a funnel of the file; empty where there are none. */
export function funnelDifference(
  { name, terms, path }: Written,
  comparison: Comparison,
): Difference[] {
  const { account, complain } = comparison;
  const stored = found(account.funnels, name);
  const before = stored?.terms ?? {};
  for (const kind of ['campaign', 'supplier'] as const)
    mustExist(kind, String(terms[kind]), path, comparison);
  for (const key of stored ? FIXED : [])
    if (getOwn(terms, key) !== getOwn(before, key))
      complain([...path, key], ` of a funnel stays as it is: ${String(getOwn(before, key))}.`);
  const definition = definitionOf(terms.definition, path, complain);
  const wanted = { ...terms, ...(definition === undefined ? {} : { definition }) };
  const changes = changesOf(before, wanted);
  if (stored && changes.length === 0) return [];
  return [{ kind: 'funnel', name, isNew: !stored, changes, written: terms, wanted, before }];
}

/** In the form that the server stores. */
function definitionOf(given: unknown, path: Path, complain: Complain): unknown {
  const read = readDefinition(normalizeInput(FunnelDefinition, given), { ownOrigin: true });
  if (read.ok) return read.definition;
  for (const { path: at, message } of read.details)
    complain([...path, ...stepsIn(at)], message.slice(at.length));
  return undefined;
}

/** `definition.blocks[2].field` as steps. */
const stepsIn = (place: string): Path =>
  place
    .split(/[.[\]]+/)
    .filter((step) => step !== '')
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));

/** Only the names of the parts that differ: whole definitions are too long to read. */
function changesOf(before: Terms, wanted: Terms): PlanChange[] {
  return Object.keys(wanted).flatMap((key) => {
    const [from, to] = [getOwn(before, key) ?? null, getOwn(wanted, key)];
    if (key !== 'definition')
      return sameShape(from as Shape, to as Shape) ? [] : [{ path: key, from, to }];
    const [old, next] = [isRow(from) ? from : {}, isRow(to) ? to : {}];
    return [...new Set([...Object.keys(old), ...Object.keys(next)])].flatMap((part) => {
      const [a, b] = [getOwn(old, part) ?? null, getOwn(next, part) ?? null];
      if (sameShape(a as Shape, b as Shape)) return [];
      return [{ path: `definition.${part}`, from: short(a), to: short(b) }];
    });
  });
}

const SHORT_MAX = 80;

function short(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text.length <= SHORT_MAX ? value : `${text.slice(0, SHORT_MAX)}…`;
}

/** A slug changes only while the funnel is not published; visitors see a definition once it is. */
export function funnelSteps({ name, isNew, changes, wanted, before }: Difference): Step[] {
  const { template, campaign, supplier, slug, published, definition } = wanted;
  const differs = (key: string) =>
    changes.some(({ path }) => path === key || path.startsWith(`${key}.`));
  const title = `funnel "${name}"`;
  const step = (action: Step['action'], what: string, input: Terms = {}): Step => ({
    action,
    funnel: name,
    input,
    title: `${title}: ${what}`,
  });
  const linked = { campaign: String(campaign), supplier: String(supplier) };
  const create: Step = {
    action: 'create_funnel',
    ...linked,
    input: { name, template, ...(slug === undefined ? {} : { slug }) },
    title: `create ${title}`,
  };
  const isLive = before.published === true;
  const isWanted = published ?? isLive;
  const changed = {
    ...(differs('definition') ? { definition } : {}),
    ...(!isNew && differs('slug') ? { slug } : {}),
  };
  const isOffline = isLive && (isWanted !== true || 'slug' in changed);
  return [
    ...(isNew ? [create] : []),
    ...(isOffline ? [step('unpublish_funnel', 'take it offline')] : []),
    ...(Object.keys(changed).length > 0
      ? [step('update_funnel', Object.keys(changed).join(', '), changed)]
      : []),
    ...(isWanted === true ? [step('publish_funnel', 'publish')] : []),
  ];
}
