/**
 * Reads what leads are decided on: their plans, and their hits in suppression lists. A lead that waited, that an earlier
 * run did not finish or that is sold again is offered by today's terms and lists, not by those of its arrival.
 */
import type { Plan } from '../account/rules/plan.js';
import { suppressionKeys, type SuppressionHit } from '../account/rules/suppressionKeys.js';
import { hashMd5 } from '../account/suppression/hashMd5.js';
import type { PlanStore } from '../account/store/plans.js';
import type { SuppressionQuery, SuppressionStore } from '../account/store/suppressions.js';
import type { Lead } from '../leads/rules/lead.js';
import { getOwn } from '../lib/getOwn.js';
import { planNow } from '../routing/rules/termsNow.js';
import { readLatestPlans, readPlans } from './readPlans.js';
import type { AccountCollections } from '../account/store/collections.js';
import { eachApart, requireWhole, type Stuck } from './stuck.js';

/** The plans of a lead. */
export interface Terms {
  lead: Lead;
  /** The plan it arrived under: its price, its area and its filters stay. */
  plan: Plan;
  /** The current version, for a lead that is offered again; undefined too where its campaign no longer exists. */
  latest: Plan | undefined;
  /** What applies to the lead now: `plan`, with the terms of the current version where it is offered again. */
  planNow: Plan;
  /** The version of these terms, where it is not that of `plan`. */
  termsVersion: number | undefined;
}

export interface Grounds extends Terms {
  /** In the lists as they are now: of the current version, for a lead that is offered again. */
  hits: readonly SuppressionHit[];
}

export interface GroundsRead {
  /** Of the leads that can be decided. */
  grounds: Grounds[];
  /** The others, each with its error. */
  stuck: Stuck[];
}

export interface GroundsDeps {
  plans: PlanStore;
  suppressions: SuppressionStore;
  collections: Pick<AccountCollections, 'campaigns'>;
}

/**
 * Not decided for the first time: an earlier run did not finish it, perhaps hours ago; or it is sold again, by an order
 * whose start may have failed for as long.
 */
export const isAskedAgain = ({ takes, resale }: Pick<Lead, 'takes' | 'resale'>): boolean =>
  takes > 1 || resale !== undefined;

/** For leads that are not decided for the first time. */
export async function readGrounds(leads: readonly Lead[], deps: GroundsDeps): Promise<GroundsRead> {
  const { terms, stuck } = await readTerms(leads, deps);
  return { grounds: await addHits(terms, deps), stuck };
}

/** Reads plans: one query, and two more where some leads are offered again and the current versions are not in memory. */
export async function readTerms(
  leads: readonly Lead[],
  deps: Pick<GroundsDeps, 'plans' | 'collections'>,
  isAgain: (lead: Lead) => boolean = () => true,
): Promise<{ terms: Terms[]; stuck: Stuck[] }> {
  const stuck: Stuck[] = [];
  const [planFor, latestFor] = await Promise.all([
    readPlans(leads, deps),
    readLatestPlans(leads.filter(isAgain), deps),
  ]);
  const planNowFor = rememberPlansNow();
  const all = leads.map((lead) => ({ lead }));
  const terms = eachApart(all, stuck, ({ lead }): Terms => {
    requireWhole(lead);
    const plan = planFor(lead);
    if (!getOwn(plan.suppliers, lead.supplier_id))
      throw new Error(`Lead ${lead._id} names a supplier outside its plan`);
    const latest = isAgain(lead) ? latestFor(lead) : undefined;
    if (!latest || latest.version === plan.version)
      return { lead, plan, latest, planNow: plan, termsVersion: undefined };
    return { lead, plan, latest, planNow: planNowFor(plan, latest), termsVersion: latest.version };
  });
  return { terms, stuck };
}

/** Leads of one version, as most of a queue are, share the plan that applies to them now. */
function rememberPlansNow(): typeof planNow {
  const known = new Map<Plan, Plan>();
  return (plan, latest) => {
    const current = known.get(plan) ?? planNow(plan, latest);
    known.set(plan, current);
    return current;
  };
}

/** Looks the leads up in the lists that apply to them, with one query for all. */
export async function addHits(
  terms: readonly Terms[],
  deps: Pick<GroundsDeps, 'suppressions'>,
): Promise<Grounds[]> {
  const screened = terms.map(({ lead, plan, latest }) => ({ lead, plan: latest ?? plan }));
  const hits = await findSuppressionHits(screened, deps);
  return terms.map((one) => ({ ...one, hits: hits.get(one.lead._id) ?? [] }));
}

/** Looks up the leads whose plan names a list, all together; sends no query when none does. */
async function findSuppressionHits(
  leads: readonly { lead: Lead; plan: Pick<Plan, 'suppression'> }[],
  { suppressions }: { suppressions: SuppressionStore },
): Promise<Map<string, SuppressionHit[]>> {
  const queries = leads.flatMap(({ lead, plan: { suppression = [] } }): SuppressionQuery[] => {
    if (suppression.length === 0) return [];
    return [
      {
        lead_id: lead._id,
        org_id: lead.org_id,
        list_ids: suppression.map(({ list_id }) => list_id),
        keys: suppressionKeys(lead.fields, hashMd5),
      },
    ];
  });
  return queries.length === 0 ? new Map() : suppressions.hits(queries);
}
