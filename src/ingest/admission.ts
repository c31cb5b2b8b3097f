/** Whether a request may become a lead at all: key, link, campaign, fields. Pure but for the account cache. */
import { createHash } from 'node:crypto';
import { AppError } from '../lib/errors.js';
import { compileMapping } from '../fields/mapping.js';
import type { PingClaim } from '../pings/rules/redeeming.js';
import { lookupKeys } from '../leads/rules/dedupe.js';
import { newLead, type Lead } from '../leads/rules/lead.js';
import type { FunnelOrigin } from '../leads/rules/origin.js';
import type { Plan } from '../account/rules/plan.js';
import { receivedEntry } from '../leads/rules/trail.js';
import type { Clock } from '../lib/clock.js';
import { timeOrderedId } from '../lib/ids.js';
import { longDigits } from '../lib/longNumbers.js';
import {
  fieldsFailed,
  findAddressedCampaign,
  readTestFlag,
} from '../account/access/addressedCampaign.js';
import type { AccountCache, SupplierAccess } from '../account/access/accountCache.js';
import { compileOnce } from '../account/access/fieldTools.js';
import { ACQUIRED_BY_MS } from './deadlines.js';
import { NO_PING, type ReadPingClaim } from './pingClaim.js';

export interface Admitted {
  lead: Lead;
  plan: Plan;
  /** The organization's account version that this was decided on. */
  version: number;
  /** The ping that it redeems; null where the campaign requires none. */
  claim: PingClaim | null;
}

/**
 * `before`: the result of the same request on an older account. Its lead keeps its id, because the row of its
 * Idempotency-Key may name it already, and its `origin`.
 */
export type Admit = (
  access: SupplierAccess,
  body: Record<string, unknown>,
  before?: Admitted,
  origin?: FunnelOrigin,
) => Promise<Admitted>;

export function createAdmission(
  accountCache: AccountCache,
  clock: Clock,
  readClaim: ReadPingClaim,
): Admit {
  const getMapper = compileOnce(compileMapping);
  return async (access, body, before, origin = before?.lead.origin) => {
    const { plan, supplier, version } = await findAddressedCampaign(access, body, accountCache);
    const mapped = (await getMapper(plan))(body);
    // The lead of a suspected bot is offered to no buyer, so it redeems no ping.
    const ping = origin?.suspect ? NO_PING : await readClaim(body, plan, access.supplier_id);
    const errors = [
      ...readTestFlag(body).errors,
      ...ping.errors,
      ...(mapped.ok ? [] : mapped.errors),
    ];
    const isTest = supplier.test_mode || readTestFlag(body).value;
    if (!isTest) refusePaused(plan, supplier.status);
    if (errors.length > 0 || !mapped.ok)
      throw fieldsFailed([...errors, ...(ping.late ? [ping.late] : [])]);
    const now = clock.now();
    const lead: Lead = {
      ...newLead(before?.lead._id ?? timeOrderedId(), now),
      org_id: access.org_id,
      campaign_id: plan.campaign_id,
      supplier_id: access.supplier_id,
      plan_version: plan.version,
      is_test: isTest,
      fields: mapped.fields,
      extra: mapped.extra,
      keys: lookupKeys(mapped.fields),
      body_hash: bodyHash(access.supplier_id, body),
      take_by: new Date(Number(now) + ACQUIRED_BY_MS),
      trail: [receivedEntry(plan.version, now)],
    };
    if (origin) lead.origin = origin;
    return { lead, plan, version, claim: ping.claim };
  };
}

function refusePaused(plan: Plan, supplierStatus: 'active' | 'paused'): void {
  if (plan.status !== 'ACTIVE') {
    const message =
      'The campaign does not accept leads now: it is not ACTIVE. Test leads are still accepted.';
    throw new AppError('campaign_paused', message);
  }
  if (supplierStatus === 'paused') {
    const message = 'This source is paused. Test leads are still accepted.';
    throw new AppError('source_paused', message);
  }
}

/**
 * The hash of the same request in an earlier release, which rounded numbers of many digits: a key that it stored, and that
 * is kept for a day, is compared with it.
 * @until 0.3
 */
export const roundedBodyHash = (supplierId: string, body: Record<string, unknown>): string =>
  bodyHash(supplierId, Object.fromEntries(Object.entries(body).map(rounded)));

const rounded = ([name, value]: [string, unknown]): [string, unknown] => [
  name,
  typeof value === 'string' && longDigits(value) !== null ? Number(value) : value,
];

/** The same request has the same hash, in any order of its keys. */
export function bodyHash(supplierId: string, body: Record<string, unknown>): string {
  const entries = Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([supplierId, entries]))
    .digest('base64url');
}
