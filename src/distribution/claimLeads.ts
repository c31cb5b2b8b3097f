/** The duplicate claims of a group of leads. */
import { claimIdOf, reachBack, type DedupeKey } from '../leads/rules/dedupe.js';
import type { Lead } from '../leads/rules/lead.js';
import type { Plan } from '../account/rules/plan.js';
import type { ClaimRequest, ClaimStore } from '../leads/store/claims.js';
import type { EarlierRequest } from '../leads/store/earlierLeads.js';
import type { Holder } from '../leads/store/holders.js';
import type { Keyring } from '../platform/security/seal.js';

export interface ClaimDeps {
  claims: Pick<ClaimStore, 'claim' | 'earlier'>;
  keyring: Pick<Keyring, 'claimHash'>;
}

interface Claiming {
  lead: Lead;
  plan: Plan;
  /** What it claims. */
  keys: readonly DedupeKey[];
}

/**
 * Claims for the whole group; returns the holders of those that were lost. Earlier leads that no claim shows are looked
 * up first, and what repeats one claims nothing: of two leads at most one can be the duplicate of the other.
 */
export async function claimLeads(
  passing: readonly Claiming[],
  now: Date,
  deps: ClaimDeps,
): Promise<Map<string, Holder>> {
  // A test lead must not block a real one, nor be blocked by it; one that replaces a sale has its origin's claim.
  const claiming = passing.filter(({ lead }) => !lead.is_test && !lead.resale?.replaces);
  const earlier = await deps.claims.earlier(
    claiming.flatMap(({ lead, plan }): EarlierRequest[] => {
      const back = reachBack(plan, lead.fields, lead.created_at, now);
      const { _id: lead_id, org_id, campaign_id } = lead;
      return back ? [{ lead_id, org_id, campaign_id, ...back }] : [];
    }),
  );
  const free = claiming.filter(({ lead }) => !earlier.has(lead._id));
  const lost = await deps.claims.claim(requestsOf(free, deps), now);
  return new Map([...earlier, ...lost]);
}

/** Field by field, in the order of the campaign's fields. */
function requestsOf(
  claiming: readonly Claiming[],
  { keyring }: Pick<ClaimDeps, 'keyring'>,
): ClaimRequest[][] {
  const rounds = Math.max(0, ...claiming.map(({ keys }) => keys.length));
  return Array.from({ length: rounds }, (_, round) =>
    claiming.flatMap(({ lead, plan, keys }): ClaimRequest[] => {
      const key = keys[round];
      if (!key) return [];
      const claim_id = claimIdOf(plan.campaign_id, key, (text) => keyring.claimHash(text));
      return [{ claim_id, lead_id: lead._id, window_days: plan.dedupe.window_days }];
    }),
  );
}
