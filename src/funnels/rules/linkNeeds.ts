/** Fields without which a funnel's leads do not reach buyers of its campaign. */
import type { BuyerTerms } from '../../account/rules/plan.js';
import type { FieldRule } from '../../fields/fieldRule.js';
import { ABSENT_HOLDS } from '../../fields/filterOperators.js';
import type { FilterNode } from '../../fields/filters.js';
import { askedFields } from './askedFields.js';
import type { FunnelDefinition } from './definition.js';
import { mappedNames } from './fullName.js';
import { SOURCE_PARAMETERS } from './sources.js';

/** The terms of a buyer's link that may need a field. Of the zip codes it matters only whether there are some. */
export type LinkTerms = Pick<BuyerTerms, 'name' | 'status' | 'states' | 'filters'> & {
  zips: unknown;
};

/** Buyers that a warning names. */
const NAMED_MAX = 3;

/**
 * A sentence for each field of the campaign that a buyer's link needs, and that no lead of the funnel has: by its
 * states, its zip codes, or a filter that no lead without the field passes. Links that are paused need none.
 * @param fields all of the campaign, those of the system included
 */
export function linkWarnings(
  definition: FunnelDefinition,
  fields: readonly FieldRule[],
  links: readonly LinkTerms[],
): string[] {
  const given = givenBy(definition, fields);
  const buyers = new Map<string, string[]>();
  for (const link of links.filter(({ status }) => status === 'active')) {
    for (const name of neededBy(link)) buyers.set(name, [...(buyers.get(name) ?? []), link.name]);
  }
  return fields.flatMap(({ name }) => {
    const needing = buyers.get(name);
    return needing && !given.has(name) ? [warningOf(name, needing)] : [];
  });
}

function warningOf(name: string, buyers: readonly string[]): string {
  const named = buyers.slice(0, NAMED_MAX).join(', ');
  const more = buyers.length > NAMED_MAX ? ` and ${buyers.length - NAMED_MAX} more` : '';
  const what = name === 'state' ? 'state or zip_code, whose state the lead gets' : name;
  return (
    `definition.blocks asks no ${name}, which the links of ${named}${more} need: no lead of this funnel goes there. ` +
    `Ask ${what}, in a step of definition.blocks, or set ${name} in definition.hidden_fields (update_funnel).`
  );
}

/** What a lead may have: what is asked on some way, what it always carries, and the state of its zip code. */
function givenBy(definition: FunnelDefinition, fields: readonly FieldRule[]): Set<string> {
  const { blocks, hidden_fields, certificates } = definition;
  const given = new Set<string>([
    ...askedFields(blocks).flatMap(({ name }) => mappedNames(name, fields)),
    ...Object.keys(hidden_fields),
    ...fields.filter((rule) => rule.default !== undefined).map(({ name }) => name),
    ...SOURCE_PARAMETERS,
    'referrer',
    ...(certificates.trusted_form ? ['trustedform_cert_url'] : []),
    ...(certificates.jornaya_campaign_id === null ? [] : ['jornaya_leadid']),
  ]);
  if (given.has('zip_code')) given.add('state');
  return given;
}

const neededBy = ({ states, zips, filters }: LinkTerms): Set<string> =>
  new Set([
    ...(states.length > 0 ? ['state'] : []),
    ...(zips === null || zips === undefined ? [] : ['zip_code']),
    ...(filters === null ? [] : neededByNode(filters)),
  ]);

/** Of an `any` group nothing is needed where one of its parts holds without a field. */
function neededByNode(node: FilterNode): string[] {
  if ('all' in node) return node.all.flatMap(neededByNode);
  if ('any' in node) {
    const needs = node.any.map(neededByNode);
    return needs.some((names) => names.length === 0) ? [] : needs.flat();
  }
  return ABSENT_HOLDS.has(node.operator) ? [] : [node.field];
}
