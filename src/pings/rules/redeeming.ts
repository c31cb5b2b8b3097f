/** Whether a lead may redeem the ping that it names (contract 5.5). */
import type { FieldError, FieldErrorCode } from '../../lib/errors.js';
import type { Lead } from '../../leads/rules/lead.js';
import { isResend, type EarlierLead } from '../../leads/rules/resend.js';
import { differingFields, type Hash } from './digests.js';
import type { Ping } from './ping.js';
import type { LeadPing } from '../../leads/rules/leadPing.js';
import type { PingSettings } from '../../account/rules/pingSettings.js';

/** The ping that a request names, as far as its token alone shows it. */
export interface PingClaim {
  ping_id: string;
  /** The bidder that the supplier picks, by the id that it was shown. */
  buyer?: string;
  /** Its token has expired: it can only identify a repeated request. */
  expired?: true;
}

/** The fields that decide a redemption. */
export type RedeemablePing = Pick<
  Ping,
  '_id' | 'state' | 'is_test' | 'bids' | 'digests' | 'reveal_buyers' | 'expires_at' | 'lead_id'
>;

export interface RedeemingInput {
  lead: Lead;
  claim: PingClaim;
  /** Absent: no such ping is stored. */
  ping: RedeemablePing | undefined;
  /** The lead that has redeemed it; absent: none did, or it is not stored (any more). */
  holder: EarlierLead | undefined;
  onDifference: PingSettings['on_difference'];
  now: Date;
  hash: Hash;
  /** The id by which the supplier was shown a bidder. */
  shown: (buyerId: string) => string;
}

export type Redeeming =
  /** `from`: the lead that has it now, and that no run acquired; null: no lead has it. */
  | { kind: 'redeems'; ping: LeadPing; from: string | null }
  /** A repetition of an earlier request: it receives the answer of that lead. */
  | { kind: 'resent'; lead_id: string }
  | { kind: 'refused'; errors: FieldError[] };

const FIELD = 'flo_ping_id';
const AGAIN = 'Send a new ping, and post the lead with its ping_id';

const fault = (code: FieldErrorCode, message: string): FieldError => ({
  field: FIELD,
  code,
  message,
});

/** The faults of a ping_id, each with what to do about it. */
export const pingFaults = {
  required: () =>
    fault(
      'required',
      'flo_ping_id is required: this campaign accepts leads only by ping-post. Send a ping first (POST ' +
        '/api/v1/ping), and post the lead with its ping_id',
    ),
  notText: () =>
    fault('invalid_type', 'flo_ping_id must be text: the ping_id from the answer to a ping'),
  invalid: () =>
    fault(
      'invalid',
      `flo_ping_id is not a ping_id of this service, or it was changed. ${AGAIN}, unchanged`,
    ),
  expired: (at: Date) =>
    fault(
      'expired',
      `The ping expired at ${at.toISOString()}, and its bids with it. ${AGAIN} in time`,
    ),
  /** @param whose for example `campaign` */
  mismatch: (whose: string) =>
    fault(
      'mismatch',
      `This ping_id belongs to another ${whose}. Post the lead as it was pinged, or ping for this ${whose}`,
    ),
  alreadyUsed: () =>
    fault('already_used', `This ping has been redeemed: each ping is valid for one lead. ${AGAIN}`),
};

/** A fault of the ping refuses the whole request; a repeated request is identified by the lead that has its ping. */
export function judgeRedeeming(input: RedeemingInput): Redeeming {
  const { lead, claim, ping, holder, now } = input;
  if (!ping || ping.state === 'refused') return refused(pingFaults.invalid());
  const { lead_id: by, expires_at } = ping;
  if (by !== undefined && holder && isResend(lead, holder, now)) {
    if (holder.status !== 'WITHDRAWN') return { kind: 'resent', lead_id: by };
  }
  if (claim.expired || ping.state === 'expired' || expires_at <= now) {
    return refused(pingFaults.expired(expires_at));
  }
  if (ping.state === 'redeemed' && holder && holder.status !== 'WITHDRAWN') {
    return refused(pingFaults.alreadyUsed());
  }
  return match(input, ping);
}

/** Which buyers the lead may go to, and whether it has the values of its ping. */
function match(
  { lead, claim, onDifference, hash, shown }: RedeemingInput,
  ping: RedeemablePing,
): Redeeming {
  const { buyer } = claim;
  const picked = ping.bids.find(({ buyer_id }) => shown(buyer_id) === buyer);
  const differs = [
    ...(lead.is_test === ping.is_test ? [] : ['test_lead']),
    ...differingFields(ping.digests, lead.fields, hash),
  ];
  const errors = [
    ...(buyer !== undefined && !picked
      ? [notBidding(ping.bids.map((bid) => shown(bid.buyer_id)))]
      : []),
    ...(onDifference === 'REFUSE' ? differs.map((field) => difference(field, ping)) : []),
  ];
  if (errors.length > 0) return { kind: 'refused', errors };
  const bids = ping.bids.map(({ buyer_id, price, bid, reference }) => {
    return { buyer_id, price, bid, reference };
  });
  return {
    kind: 'redeems',
    ping: {
      ping_id: ping._id,
      bids,
      reveal_buyers: ping.reveal_buyers,
      pick: picked?.buyer_id,
      differs: differs.length > 0 ? differs : undefined,
    },
    from: ping.lead_id ?? null,
  };
}

const refused = (...errors: FieldError[]): Redeeming => ({ kind: 'refused', errors });

const SHOWN = 10;

const notBidding = (bidders: readonly string[]): FieldError => ({
  field: 'flo_buyer_id',
  code: 'not_allowed',
  message:
    'flo_buyer_id must be a buyer_id from the answer to the ping ' +
    `(${bidders.slice(0, SHOWN).join(', ')}${bidders.length > SHOWN ? ', …' : ''}), or be left out`,
});

const difference = (field: string, { is_test }: RedeemablePing): FieldError => ({
  field,
  code: 'mismatch',
  message:
    field === 'test_lead'
      ? `The ping was ${is_test ? 'a test' : 'a live one'}, and the lead is not. Post it as it was pinged, or ping again`
      : `${field} differs from the ping. Post the value of the ping, or ping again with this value`,
});
