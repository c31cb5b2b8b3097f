/** Sends a test lead as its supplier would, in this process. */
import { supplierKeyPlace } from '../../account/rules/sealedPlaces.js';
import type { Keyring } from '../../platform/security/seal.js';
import type { Clock } from '../../lib/clock.js';
import type { Scalar } from '../../fields/values.js';
import { definedOnly } from '../../lib/defined.js';
import { AppError } from '../../lib/errors.js';
import { describeRefusal } from '../describeRefusal.js';
import type { Intake } from '../types.js';
import type { PingAnswer, Pings } from '../../pings/types.js';
import type { SupplierDoc } from '../../account/store/accountDocs.js';

export interface TestLeadResult {
  lead_id: string | null;
  status: 'ACCEPTED' | 'UNMATCHED' | 'DUPLICATE' | 'REJECTED' | null;
  /** Its result, in a sentence. */
  message: string;
  /** The HTTP status that the supplier receives. */
  http_status: number;
  answer: Record<string, unknown>;
  /** The answer to its ping; null: leads are posted directly, or the ping was refused as a whole. */
  ping: PingAnswer | null;
}

interface SendDeps {
  intake: Intake;
  pings: Pick<Pings, 'submit'>;
  keyring: Keyring;
  clock: Clock;
}

type Body = Record<string, Scalar | null>;

/**
 * A refusal of the intake is a result like any other; only an error that does not answer a lead is thrown.
 * @param pinged the ping to send first, where the campaign requires one
 */
export async function sendTestLead(
  body: Body,
  pinged: Body | null,
  supplier: Pick<SupplierDoc, '_id' | 'api_key'>,
  deps: SendDeps,
): Promise<TestLeadResult> {
  const key = deps.keyring.open(supplier.api_key, supplierKeyPlace(supplier._id));
  if (pinged === null) return { ...(await post(body, key, deps)), ping: null };
  try {
    const receivedAt = deps.clock.monotonic();
    const { data } = await deps.pings.submit({ key, body: pinged, receivedAt });
    if (!data.accepted) return { ...nothing(200, { ...data }, unbid(data.message)), ping: data };
    return { ...(await post({ ...body, flo_ping_id: data.ping_id }, key, deps)), ping: data };
  } catch (error) {
    if (!(error instanceof AppError) || error.status === 500) throw error;
    const message = `Its ping was refused: ${describeRefusal(error)}`;
    return { ...nothing(error.status, answerOf(error), message), ping: null };
  }
}

const unbid = (message: string): string =>
  `No buyer bids on its ping, so it was not posted. ${message}`;

/** The result without a lead. */
const nothing = (http_status: number, answer: Record<string, unknown>, message: string) => ({
  lead_id: null,
  status: null,
  message,
  http_status,
  answer,
});

async function post(
  body: Body,
  key: string,
  { intake, clock }: SendDeps,
): Promise<Omit<TestLeadResult, 'ping'>> {
  try {
    const { status, data, leadId } = await intake.submit({
      key,
      body,
      receivedAt: clock.monotonic(),
      closed: new AbortController().signal,
    });
    intake.answered(leadId, true);
    const message = SAID[data.status](data.delivery);
    return { lead_id: leadId, status: data.status, message, http_status: status, answer: { data } };
  } catch (error) {
    if (!(error instanceof AppError) || error.status === 500) throw error;
    const lead_id = error.extras.lead_id ?? null;
    if (lead_id !== null) intake.answered(lead_id, true);
    return {
      lead_id,
      status: lead_id === null ? null : 'REJECTED',
      message: describeRefusal(error),
      http_status: error.status,
      answer: answerOf(error),
    };
  }
}

const SAID = {
  ACCEPTED: (delivery: string | undefined) =>
    delivery === 'pending'
      ? 'It is accepted, and a buyer still has to confirm it.'
      : 'A buyer bought it.',
  UNMATCHED: () => 'No buyer bought it.',
  DUPLICATE: () => 'It is a duplicate of another lead.',
} as const;

/** The body that a supplier receives, without the request id: there was no request. */
function answerOf({ code, message, extras }: AppError): Record<string, unknown> {
  const { field_errors, filter_errors, retry_after, lead_id } = extras;
  const all = { error: code, message, field_errors, filter_errors, retry_after, lead_id };
  return definedOnly(all);
}
