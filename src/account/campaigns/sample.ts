/** A made-up lead that a campaign accepts and one of its buyers in test mode would buy, as far as possible. */
import { findCampaign } from './campaigns.js';
import { compilePlan } from '../plans/compilePlan.js';
import { loadCampaign } from './loadCampaign.js';
import type { Clock } from '../../lib/clock.js';
import type { FieldRule } from '../../fields/fieldRule.js';
import type { Scalar } from '../../fields/values.js';
import { sampleLead, type Sample } from '../../fields/sampleLead.js';
import { rulesOfBuyer, rulesToPass } from '../../fields/sampleRules.js';
import { IDENTITY_FIELDS } from '../../fields/systemFields.js';
import { createFieldTools } from '../access/fieldTools.js';
import type { AccountCollections } from '../store/collections.js';

interface SampleResult {
  status: string | null;
  ping: { accepted: true } | { accepted: false; reason: string } | null;
}

type Body = Record<string, Scalar | null>;

/** The ping for a lead: about the person it contains only what every ping must have. */
export function pingOfLead(lead: Body, fields: readonly FieldRule[]): Body {
  const required = fields.filter((rule) => rule.ping_required).map(({ name }) => name);
  const withheld = IDENTITY_FIELDS.filter((name) => !required.includes(name));
  return Object.fromEntries(Object.entries(lead).filter(([name]) => !withheld.includes(name)));
}

/** @throws {AppError} `not_found` when the organization has no such campaign */
export async function sampleFor(
  campaignId: string,
  orgId: string,
  { collections, clock }: { collections: AccountCollections; clock: Clock },
) {
  await findCampaign({ collections, orgId }, campaignId);
  const plan = compilePlan(await loadCampaign(collections, campaignId), 0);
  const trying = plan.buyers.filter(({ test_mode, status }) => test_mode && status === 'active');
  const [first] = trying;
  const rules = [...rulesToPass(plan.filters), ...(first ? rulesOfBuyer(first) : [])];
  return {
    campaignId,
    /** Another `n` gives another person. */
    async lead(n: number): Promise<Sample> {
      const tools = await createFieldTools(plan.fields);
      const context = { now: clock.now(), timeZone: plan.time_zone };
      return sampleLead(plan.fields, { tools, n, rules, context });
    },
    /** The ping to send before such a lead, without data about the person; null where leads are posted directly. */
    pingOf(lead: Body): Body | null {
      if (plan.routing_method !== 'PING_POST') return null;
      return pingOfLead(lead, plan.fields);
    },
    /**
     * Advice about such a result, where the account itself causes it.
     * @param result.status of the lead; null: it was refused
     * @param result.ping null: no ping was sent, or it was refused as a whole
     */
    hint({ status, ping }: SampleResult): string | undefined {
      const isUnbid = ping?.accepted === false && ping.reason === 'no_buyer';
      if (status !== 'UNMATCHED' && !isUnbid) return undefined;
      if (first) return isUnbid ? undefined : 'The trail says why each buyer was left out.';
      return (
        'Test leads go to buyers in test mode only, and no active buyer of the campaign is: set test_mode of one ' +
        'with update_buyer, and reset it afterwards.'
      );
    },
  };
}
