/** Of leads that share a value exactly one continues: none is sold twice, and no claim is lost between two. */
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { CampaignFacts, Violation } from '../evidence/evidence.js';
import { isLive, stateOf, type Facts, type Property } from './facts.js';

export const duplicates: Property = (facts) =>
  facts.evidence.campaigns
    .filter(({ dedupe_fields }) => dedupe_fields.length > 0)
    .flatMap((campaign) => {
      const { campaign_id } = campaign;
      // A test lead claims nothing, and neither does one that was withdrawn.
      const claiming = facts.evidence.record.leads.filter(
        (lead) => lead.campaign_id === campaign_id && !lead.is_test && lead.status !== 'WITHDRAWN',
      );
      return judge(claiming, campaign, facts);
    });

function judge(
  claiming: readonly Lead[],
  { dedupe_fields: fields, on_duplicate }: CampaignFacts,
  facts: Facts,
): Violation[] {
  const goesOn = (lead: Lead): boolean =>
    isLive(lead) && !(on_duplicate === 'ROUTE_TO_ORIGINAL' && isRepeat(lead));
  const groups = fields.flatMap((field) => [
    ...Map.groupBy(
      claiming.filter((lead) => valueOf(lead, field) !== undefined),
      (lead) => `${field} ${valueOf(lead, field) ?? ''}`,
    ),
  ]);
  return [
    ...groups.flatMap(([value, own]) => twoWinners(value, own.filter(goesOn))),
    ...familiesOf(
      claiming,
      groups.map(([, own]) => own),
    ).flatMap(noWinner),
    ...claiming
      .filter((lead) => lead.status === 'DUPLICATE' || isRepeat(lead))
      .flatMap((lead) => falseDuplicate(lead, fields, facts)),
  ];
}

function valueOf(lead: Lead, field: string): string | undefined {
  const value = lead.fields[field];
  return value === undefined ? undefined : String(value).trim().toLowerCase();
}

/** A duplicate, whatever its status. */
const isRepeat = ({ duplicate_of }: Lead): boolean => duplicate_of !== undefined;

function twoWinners(value: string, live: readonly Lead[]): Violation[] {
  const [first] = live;
  if (!first || live.length < 2) return [];
  const what = `${live.map(stateOf).join(', and ')}; both have ${value}`;
  return [{ total: 'doubled', rule: 'two_winners', what, lead_id: first._id }];
}

/**
 * Leads joined by shared values, directly or through others: a duplicate by one field may have lost to
 * a lead that itself lost by the next field, so only the whole family must have a lead that did not lose.
 */
function familiesOf(leads: readonly Lead[], groups: readonly (readonly Lead[])[]): Lead[][] {
  const parents = new Map<Lead, Lead>();
  const rootOf = (lead: Lead): Lead => {
    let root = lead;
    for (let up = parents.get(root); up && up !== root; up = parents.get(root)) root = up;
    parents.set(lead, root);
    return root;
  };
  for (const [first, ...others] of groups) {
    if (!first) continue;
    others.forEach((other) => parents.set(rootOf(other), rootOf(first)));
  }
  return [...Map.groupBy(leads, rootOf).values()];
}

function noWinner(family: readonly Lead[]): Violation[] {
  const [first] = family;
  if (!first || !family.every(isRepeat)) return [];
  const ids = family.map(({ _id }) => _id);
  const what = `all of the leads that share their values are duplicates: ${ids.slice(0, 10).join(', ')}`;
  return [{ total: 'false answers', rule: 'no_winner', what, lead_id: first._id }];
}

/**
 * How long after its timestamp a decision may reach the record, in milliseconds: a process can be stopped for 20 s
 * between reading the clock and writing, and until then its lead still counts as undecided.
 */
const SLOW_WRITE_MS = 30_000;

function falseDuplicate(lead: Lead, fields: readonly string[], { leads }: Facts): Violation[] {
  const found = (why: string): Violation[] => [
    {
      total: 'false answers',
      rule: 'false_duplicate',
      what: `lead ${lead._id} is ${lead.status} and names ${lead.duplicate_of ?? 'nobody'} as its original, ${why}`,
      lead_id: lead._id,
    },
  ];
  const original = leads.get(lead.duplicate_of ?? '');
  if (!original) return found('which the record does not have');
  if (original === lead) return found('which is itself');
  const shares = fields.some((field) => {
    const value = valueOf(lead, field);
    return value !== undefined && value === valueOf(original, field);
  });
  if (original.campaign_id !== lead.campaign_id || !shares)
    return found(`which shares no value with it`);
  if (original.status === 'WITHDRAWN') return found('which was withdrawn and claims nothing');
  if (isLive(original)) return [];
  const late = lead.created_at.getTime() - (original.decided_at?.getTime() ?? Infinity);
  if (late <= SLOW_WRITE_MS) return [];
  return found(`which had ended ${original.status} ${late} ms before it came`);
}
