/** The pings of a group of requests: which lead may redeem which, and the redemption itself. */
import { buyerAlias } from '../platform/security/buyerAlias.js';
import type { Keyring } from '../platform/security/seal.js';
import type { Clock } from '../lib/clock.js';
import { pingEntries } from '../leads/rules/locks.js';
import {
  judgeRedeeming,
  pingFaults,
  type PingClaim,
  type RedeemablePing,
  type Redeeming,
} from '../pings/rules/redeeming.js';
import { DEFAULT_PING_SETTINGS } from '../account/rules/pingSettings.js';
import type { AppError } from '../lib/errors.js';
import type { LeadStore } from '../leads/store/leads.js';
import type { Holder } from '../leads/store/holders.js';
import type { PingRedemption } from '../pings/store/pingRedemption.js';
import { fieldsFailed } from '../account/access/addressedCampaign.js';
import type { IntakeItem } from './group.js';

export interface PingDeps {
  redemption: PingRedemption;
  leads: Pick<LeadStore, 'withdraw'>;
  keyring: Pick<Keyring, 'claimHash'>;
  clock: Clock;
}

interface Judging extends Pick<PingDeps, 'keyring'> {
  /** The leads that have redeemed the pings. */
  holders: ReadonlyMap<string, Holder>;
  now: Date;
}

/** The result of matching a group's requests with their pings. */
export interface Matched {
  /** Requests that may go on; those with a ping carry it on their lead. */
  free: IntakeItem[];
  refused: { item: IntakeItem; error: AppError }[];
  /** Requests that receive the answer of this lead. */
  resent: { item: IntakeItem; leadId: string }[];
}

/** One read for the whole group, and one more where pings have been redeemed. Nothing of the requests is stored here. */
export async function matchPings(items: readonly IntakeItem[], deps: PingDeps): Promise<Matched> {
  const ids = items.flatMap(({ admitted: { claim } }) => (claim ? [claim.ping_id] : []));
  if (ids.length === 0) return { free: [...items], refused: [], resent: [] };
  const now = deps.clock.now();
  const pings = await deps.redemption.read(ids);
  const holders = await holdersOf([...pings.values()], now, deps);
  const matched: Matched = { free: [], refused: [], resent: [] };
  const wanted = new Set<string>();
  for (const item of items) {
    const { claim } = item.admitted;
    if (!claim) {
      matched.free.push(item);
      continue;
    }
    const ping = pings.get(claim.ping_id);
    const judged = judge(item, claim, ping, { holders, now, keyring: deps.keyring });
    if (judged.kind === 'refused')
      matched.refused.push({ item, error: fieldsFailed(judged.errors) });
    else if (judged.kind === 'resent') matched.resent.push({ item, leadId: judged.lead_id });
    else if (wanted.has(claim.ping_id)) matched.refused.push({ item, error: alreadyUsed() });
    else {
      wanted.add(claim.ping_id);
      attachPing(item, judged, ping?.is_test ?? false, now);
      matched.free.push(item);
    }
  }
  return matched;
}

/** Redeems for stored leads; the caller must discard leads that did not get their ping. */
export async function redeemPings(
  items: readonly IntakeItem[],
  { redemption, clock }: Pick<PingDeps, 'redemption' | 'clock'>,
): Promise<{ won: IntakeItem[]; lost: IntakeItem[] }> {
  const wanted = items.flatMap(({ redemption: one }) => (one ? [one] : []));
  if (wanted.length === 0) return { won: [...items], lost: [] };
  const held = await redemption.redeem(wanted, clock.now());
  const isLost = ({ redemption: one }: IntakeItem): boolean =>
    one !== undefined && !held.has(one.lead_id);
  return { won: items.filter((item) => !isLost(item)), lost: items.filter(isLost) };
}

const alreadyUsed = (): AppError => fieldsFailed([pingFaults.alreadyUsed()]);

/** No run acquires a lead after its time: such a lead is withdrawn now, so that its ping can be redeemed again. */
async function holdersOf(
  pings: readonly RedeemablePing[],
  now: Date,
  { redemption, leads }: PingDeps,
): Promise<Map<string, Holder>> {
  const ids = pings.flatMap(({ lead_id }) => lead_id ?? []);
  if (ids.length === 0) return new Map();
  const holders = await redemption.holders(ids);
  const late = [...holders.values()].filter(
    ({ status, run, take_by }) => status === 'NEW' && !run && take_by <= now,
  );
  if (late.length === 0) return holders;
  const lateIds = late.map(({ _id }) => _id);
  for (const id of await leads.withdraw(lateIds, now)) {
    const holder = holders.get(id);
    if (holder) holders.set(id, { ...holder, status: 'WITHDRAWN' });
  }
  return holders;
}

function judge(
  { admitted: { lead, plan } }: IntakeItem,
  claim: PingClaim,
  ping: RedeemablePing | undefined,
  { holders, now, keyring }: Judging,
): Redeeming {
  const { campaign_id, supplier_id } = lead;
  const isRevealed = ping?.reveal_buyers !== false;
  return judgeRedeeming({
    lead,
    claim,
    ping,
    now,
    holder: ping?.lead_id === undefined ? undefined : holders.get(ping.lead_id),
    onDifference: (plan.ping ?? DEFAULT_PING_SETTINGS).on_difference,
    hash: (text) => keyring.claimHash(text),
    shown: (buyer_id) =>
      isRevealed ? buyer_id : buyerAlias(keyring, { campaign_id, supplier_id, buyer_id }),
  });
}

/** In place: the request goes on with the lead that it has. */
function attachPing(
  item: IntakeItem,
  { ping, from }: Extract<Redeeming, { kind: 'redeems' }>,
  isTest: boolean,
  now: Date,
): void {
  const { lead } = item.admitted;
  const received = lead.trail.filter(({ step }) => step === 'received');
  Object.assign(lead, { ping, trail: [...received, ...pingEntries(ping, now)] });
  item.redemption = { ping_id: ping.ping_id, lead_id: lead._id, from, counts: !isTest };
}
