/** Whether a lead that was definitively refused was nevertheless sold, or reached a buyer. */
import type { Lead } from '../../../src/leads/rules/lead.js';
import { lookupKey } from '../../../src/leads/rules/dedupe.js';
import type { Bench } from '../bench.js';
import type { Deliveries, Expected } from './taken.js';

export interface RefusedAudit {
  /** Requests that were answered with a definitive refusal. */
  refused: number;
  /** Of these, the leads that were sold, or that a buyer has. */
  sold: number;
  examples: string[];
}

/** Phone numbers per query. */
const AT_ONCE = 1_000;
const EXAMPLES_MAX = 5;

type Audited = Pick<Bench, 'collections' | 'refusals'> & { buyers: { url: string } };
type Found = Pick<Lead, '_id' | 'status' | 'sales' | 'keys'>;

/** A refused lead has no id in its answer: it is found by its person, which no other request of the run names. */
export async function auditRefused({
  collections,
  refusals,
  buyers,
}: Audited): Promise<RefusedAudit> {
  const wrong: string[] = [];
  for (const [orgId, ofOrg] of Map.groupBy(refusals, (one) => one.orgId))
    for (let from = 0; from < ofOrg.length; from += AT_ONCE) {
      const some = ofOrg.slice(from, from + AT_ONCE);
      const statuses = new Map(some.map((one) => [lookupKey('phone', one.phone), one.status]));
      const found = await collections.leads
        .find({ org_id: orgId, keys: { $in: [...statuses.keys()] } })
        .project<Found>({ status: 1, 'sales.buyer_id': 1, keys: 1 })
        .toArray();
      const taken = await takenOf(buyers.url, found);
      for (const { _id, status, sales, keys } of found) {
        if (sales.length === 0 && !taken.has(_id)) continue;
        const answer = keys.map((key) => statuses.get(key)).find((code) => code !== undefined);
        wrong.push(`${_id} is ${status}, refused with ${answer ?? ''}`);
      }
    }
  return {
    refused: refusals.length,
    sold: wrong.length,
    examples: wrong.slice(0, EXAMPLES_MAX),
  };
}

/** Those of the leads that some buyer accepted. */
async function takenOf(url: string, leads: readonly Found[]): Promise<Set<string>> {
  const expected = leads.map(({ _id }): Expected => [_id, []]);
  const reply = await fetch(`${url}/taken`, { method: 'POST', body: JSON.stringify(expected) });
  return new Set(((await reply.json()) as [string, Deliveries][]).map(([id]) => id));
}
