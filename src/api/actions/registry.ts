/** Every action that the files of `list` define, in the order of `names.ts`: all surfaces are made from it. */
import type { z } from 'zod';
import type { Action, TypedAction } from './action.js';
import * as account from './list/account.js';
import * as archiving from './list/archiving.js';
import * as audit from './list/audit.js';
import * as automations from './list/automations.js';
import * as buyerHealth from './list/buyerHealth.js';
import * as buyerLinks from './list/buyerLinks.js';
import * as buyers from './list/buyers.js';
import * as bulkReturns from './list/bulkReturns.js';
import * as campaigns from './list/campaigns.js';
import * as capUsage from './list/capUsage.js';
import * as changeRequests from './list/changeRequests.js';
import * as copyCampaign from './list/copyCampaign.js';
import * as deliveries from './list/deliveries.js';
import * as deliveryPages from './list/deliveryPages.js';
import * as events from './list/events.js';
import * as explain from './list/explain.js';
import * as exportLeads from './list/exportLeads.js';
import * as funnelPublishing from './list/funnelPublishing.js';
import * as funnelStats from './list/funnelStats.js';
import * as funnels from './list/funnels.js';
import * as guide from './list/guide.js';
import * as importLeads from './list/importLeads.js';
import * as importSuppressions from './list/importSuppressions.js';
import * as keys from './list/keys.js';
import * as leads from './list/leads.js';
import * as links from './list/links.js';
import * as members from './list/members.js';
import * as onboarding from './list/onboarding.js';
import * as outcome from './list/outcome.js';
import * as pings from './list/pings.js';
import * as plans from './list/plans.js';
import * as portalMembers from './list/portalMembers.js';
import * as portals from './list/portals.js';
import * as previewRouting from './list/previewRouting.js';
import * as reconciliation from './list/reconciliation.js';
import * as removeLinks from './list/removeLinks.js';
import * as breakdown from './list/breakdown.js';
import * as flow from './list/flow.js';
import * as reports from './list/reports.js';
import * as returns from './list/returns.js';
import * as savedViews from './list/savedViews.js';
import * as search from './list/search.js';
import * as singleSignOn from './list/singleSignOn.js';
import * as supplierLinks from './list/supplierLinks.js';
import * as suppliers from './list/suppliers.js';
import * as suppressions from './list/suppressions.js';
import * as system from './list/system.js';
import * as testDelivery from './list/testDelivery.js';
import * as testLead from './list/testLead.js';
import * as today from './list/today.js';
import { ACTION_NAMES, type ActionName } from './names.js';

const FILES = [
  account,
  archiving,
  audit,
  automations,
  buyerHealth,
  buyerLinks,
  buyers,
  bulkReturns,
  campaigns,
  capUsage,
  changeRequests,
  copyCampaign,
  deliveries,
  deliveryPages,
  events,
  explain,
  exportLeads,
  funnelPublishing,
  funnelStats,
  funnels,
  guide,
  importLeads,
  importSuppressions,
  keys,
  leads,
  links,
  members,
  onboarding,
  outcome,
  pings,
  plans,
  portalMembers,
  portals,
  previewRouting,
  reconciliation,
  removeLinks,
  breakdown,
  flow,
  reports,
  returns,
  savedViews,
  search,
  singleSignOn,
  supplierLinks,
  suppliers,
  suppressions,
  system,
  testDelivery,
  testLead,
  today,
] as const;

type Exported<F> = F extends object ? F[keyof F] : never;
type Defined = Extract<
  Exported<(typeof FILES)[number]>,
  TypedAction<ActionName, z.ZodObject, z.ZodType>
>;

/** The actions by name, as types: a page that runs one has the types of its input and output. */
export type ActionsByName = { [A in Defined as A['name']]: Pick<A, 'input' | 'output'> };

/** Files export what their actions share, too; nothing but an action has a command. */
const isAction = (exported: unknown): exported is Action =>
  typeof exported === 'object' && exported !== null && 'cli' in exported;

const defined = new Map(
  FILES.flatMap((file) => Object.values<unknown>(file).filter(isAction)).map((one) => [
    one.name,
    one,
  ]),
);

export const REGISTRY: readonly Action[] = ACTION_NAMES.map((name) => {
  const action = defined.get(name);
  if (action) return action;
  throw new Error(`No file of src/api/actions/list that registry.ts names defines ${name}.`);
});
