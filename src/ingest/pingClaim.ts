/** The ping that a request redeems, as far as the request alone shows it (contract 5.5). */
import type { PingClaims, PingTokens } from '../platform/security/pingTokens.js';
import type { Clock } from '../lib/clock.js';
import type { Plan } from '../account/rules/plan.js';
import { pingFaults, type PingClaim } from '../pings/rules/redeeming.js';
import { RESEND_WINDOW_MS } from '../leads/rules/resend.js';
import type { FieldError } from '../lib/errors.js';
import { normalizedId } from '../lib/ids.js';
import { visibleText } from '../lib/invisible.js';
import { isBlank } from '../fields/fields.js';

export interface ReadClaim {
  /** Null where the campaign requires no ping. */
  claim: PingClaim | null;
  errors: FieldError[];
  /** Refuses the request only together with another fault: the request may have been sent again. */
  late?: FieldError;
}

export type ReadPingClaim = (
  body: Record<string, unknown>,
  plan: Pick<Plan, 'routing_method' | 'org_id' | 'campaign_id'>,
  supplierId: string,
) => Promise<ReadClaim>;

export const NO_PING: ReadClaim = { claim: null, errors: [] };

/** A ping-post campaign accepts a lead only with a ping; other campaigns ignore a ping_id. */
export function createPingClaims(deps: {
  tokens: Pick<PingTokens, 'read'>;
  clock: Clock;
}): ReadPingClaim {
  return async (body, plan, supplierId) => {
    if (plan.routing_method !== 'PING_POST') return NO_PING;
    const buyer = readBuyer(body);
    const read = await readToken(body, plan, supplierId, deps);
    const errors = [...read.errors, ...buyer.errors];
    const claim = read.claim && { ...read.claim, ...buyer.named };
    return { ...read, claim, errors };
  };
}

async function readToken(
  { flo_ping_id: token }: Record<string, unknown>,
  plan: Pick<Plan, 'org_id' | 'campaign_id'>,
  supplierId: string,
  { tokens, clock }: { tokens: Pick<PingTokens, 'read'>; clock: Clock },
): Promise<ReadClaim> {
  if (isMissing(token)) return refusedFor(pingFaults.required());
  if (typeof token !== 'string') return refusedFor(pingFaults.notText());
  const read = await tokens.read(visibleText(token));
  if (read.kind === 'invalid') return refusedFor(pingFaults.invalid());
  const { ping_id, expires_at } = read.claims;
  const other = otherThan(read.claims, plan, supplierId);
  if (other !== undefined) return refusedFor(pingFaults.mismatch(other));
  if (read.kind === 'valid') return { claim: { ping_id }, errors: [] };
  const late = pingFaults.expired(expires_at);
  if (Number(clock.now()) - Number(expires_at) > RESEND_WINDOW_MS) return refusedFor(late);
  return { claim: { ping_id, expired: true }, errors: [], late };
}

const refusedFor = (error: FieldError): ReadClaim => ({ claim: null, errors: [error] });

const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && isBlank(value));

/** What the ping belongs to, where it is not this request's. */
function otherThan(
  claims: PingClaims,
  { org_id, campaign_id }: Pick<Plan, 'org_id' | 'campaign_id'>,
  supplierId: string,
): string | undefined {
  if (claims.org_id !== org_id) return 'account';
  if (claims.campaign_id !== campaign_id) return 'campaign';
  return claims.supplier_id === supplierId ? undefined : 'supplier';
}

function readBuyer({ flo_buyer_id: buyer }: Record<string, unknown>): {
  named: Pick<PingClaim, 'buyer'>;
  errors: FieldError[];
} {
  if (isMissing(buyer)) return { named: {}, errors: [] };
  if (typeof buyer === 'string')
    return { named: { buyer: normalizedId(visibleText(buyer)) }, errors: [] };
  const message = 'flo_buyer_id must be text: a buyer_id from the answer to the ping';
  return { named: {}, errors: [{ field: 'flo_buyer_id', code: 'invalid_type', message }] };
}
