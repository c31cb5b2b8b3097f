/** What the operations are grouped by, in the order in which people read them. */
import type { JsonObject } from '../../lib/jsonSchema.js';
import { getOwn } from '../../lib/getOwn.js';

/** By the noun of an action's command, and by the tag of an endpoint. */
const TAG_TEXTS: Readonly<Record<string, string>> = {
  ingest: 'For suppliers: sending leads, and asking what became of them.',
  postback: 'For buyers: telling what became of the leads that they have.',
  api: 'For holders of a key of the organisation: what there is to do, and who one is.',
  campaigns:
    'Campaigns with their fields, filters and limits, and the terms of their buyers and suppliers.',
  buyers: 'Those who take leads, and how leads reach them.',
  suppliers: 'Those who send leads.',
  leads: 'Leads, and how each was decided.',
  pings: 'Who bid what on a ping, and which lead was posted to it.',
  deliveries: 'What waits for buyers, and what is to become of it.',
  automations: 'Who is told of what happens, or what is done about it.',
  events: 'What happened, and who was told.',
  returns: 'Leads that buyers give back, and what is decided of them.',
  reports: 'Counts and money, by day, campaign, buyer or supplier.',
  suppressions: 'Lists of people whose leads are not taken.',
  specs: 'Posting guides for suppliers.',
  onboarding: 'What is still missing before a campaign can take live leads.',
  plans: 'The versions of a campaign.',
  keys: 'The keys of the organisation.',
  audit: 'Who changed what.',
  account: 'The organisation itself.',
  service: 'For operators: whether a process is alive and well, and what it counts.',
};

export const titleOf = (tag: string): string =>
  tag === 'api' ? 'API' : tag.charAt(0).toUpperCase() + tag.slice(1);

/** @param used tags of operations; one that nobody has described comes last and has no text */
export function tagsOf(used: ReadonlySet<string>): JsonObject[] {
  const known = Object.keys(TAG_TEXTS).filter((tag) => used.has(tag));
  const others = [...used].filter((tag) => !Object.hasOwn(TAG_TEXTS, tag));
  return [...known, ...others].map((tag) => ({
    name: titleOf(tag),
    description: getOwn(TAG_TEXTS, tag),
  }));
}
