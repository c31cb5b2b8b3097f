/** The groups of operations, in the order in which people read them. */
import type { JsonObject } from '../../lib/jsonSchema.js';
import { getOwn } from '../../lib/getOwn.js';

/** By the noun of an action's command, and by the tag of an endpoint. */
const TAG_TEXTS: Readonly<Record<string, string>> = {
  ingest: 'For suppliers: sending leads, and looking up their status.',
  postback: 'For buyers: reporting the outcomes of the leads that they have.',
  api: 'For holders of an organization key: the available actions, and the identity of the key.',
  campaigns:
    'Campaigns with their fields, filters and limits, and the terms of their buyers and suppliers.',
  buyers: 'Buyers of leads, and how leads reach them.',
  suppliers: 'Suppliers, who send leads.',
  leads: 'Leads, and how each was decided.',
  search: 'Finding leads, campaigns, buyers and suppliers by what is at hand.',
  pings: 'The bids on a ping, and the lead that was posted to it.',
  caps: 'Caps and budgets: what is used and what is left.',
  deliveries: 'Deliveries that wait for buyers: send, hold, drop or resolve them.',
  automations: 'Actions that run when an event happens.',
  events: 'Events, and their deliveries to automations.',
  returns: 'Returns of leads by buyers, and the decisions on them.',
  reports: 'Counts and money, by day, campaign, buyer or supplier.',
  views: 'Filters of a screen that people keep, for themselves or for everyone.',
  suppressions: 'Lists of people whose leads are refused.',
  specs: 'Posting guides for suppliers.',
  onboarding: 'What is missing before a campaign can accept live leads.',
  plans: 'The versions of a campaign.',
  funnels: 'Hosted lead forms: drafts, what visitors see, and what they bring.',
  portal: "Partners' portals: opening them, their people, and what partners ask to have changed.",
  members: 'The people of the organization, and where they are signed in.',
  keys: 'The keys of the organization.',
  'single-sign-on': 'Single sign-on for the people of the organization.',
  audit: 'Who changed what.',
  account: 'The organization itself.',
  system: 'The health and the versions of the installation.',
  service: 'For operators: the health and the metrics of a process.',
};

export const titleOf = (tag: string): string =>
  tag === 'api' ? 'API' : tag.charAt(0).toUpperCase() + tag.slice(1);

/** @param used tags of operations; one without a description comes last and has no text */
export function tagsOf(used: ReadonlySet<string>): JsonObject[] {
  const known = Object.keys(TAG_TEXTS).filter((tag) => used.has(tag));
  const others = [...used].filter((tag) => !Object.hasOwn(TAG_TEXTS, tag));
  return [...known, ...others].map((tag) => ({
    name: titleOf(tag),
    description: getOwn(TAG_TEXTS, tag),
  }));
}
