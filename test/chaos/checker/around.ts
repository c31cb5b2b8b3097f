/** Which faults explain a loss or a delay: faults of that buyer or process, at that time. */
import type { BuyerLinkFacts, Fault, Instant } from '../evidence/evidence.js';
import type { BuyerRequest, Facts } from './facts.js';

/** Processes that have a part in sending a lead and in recording its result. */
const SENDING = ['intake', 'worker', 'delivery', 'temporal', 'mongod'];
const SERVERS = ['temporal', 'mongod'];

/** A server that was killed is back within this time, in milliseconds; a process is replaced by another at once. */
const BACK_WITHIN_MS = 20_000;
/** Maximum time of a graceful shutdown. */
const ENDS_WITHIN_MS = 15_000;
/** Time until a stopped process has caught up. */
const CATCHES_UP_MS = 5_000;

/** The time in which the fault can have an effect. */
function spanOf({ type, at, ended, targets }: Fault): { from: Instant; to: Instant } {
  const isServer = targets.some((one) => SERVERS.includes(one));
  switch (type) {
    case 'kill':
    case 'delete_temporal':
      return { from: at, to: isServer ? at + BACK_WITHIN_MS : at };
    case 'restart':
      return { from: at, to: at + ENDS_WITHIN_MS };
    case 'stop':
      return { from: at, to: (ended ?? Infinity) + CATCHES_UP_MS };
    default:
      return { from: at, to: ended ?? Infinity };
  }
}

const overlaps = (fault: Fault, from: Instant, to: Instant): boolean => {
  const span = spanOf(fault);
  return span.from <= to && span.to >= from;
};

export const PROCESS_FAULTS: readonly string[] = ['kill', 'stop', 'restart', 'delete_temporal'];

/** Whether one of these processes was killed, stopped or restarted at that time. */
export const wereStruck = (
  faults: readonly Fault[],
  roles: readonly string[],
  from: Instant,
  to: Instant,
): boolean =>
  faults.some(
    (fault) =>
      PROCESS_FAULTS.includes(fault.type) &&
      fault.targets.some((one) => roles.includes(one)) &&
      overlaps(fault, from, to),
  );

/** The same of those that send leads and book sales. */
export const sendersWereStruck = (faults: readonly Fault[], from: Instant, to: Instant): boolean =>
  wereStruck(faults, SENDING, from, to);

/** Whether the machine stalled at some moment of that time. */
export const wasLagging = (faults: readonly Fault[], from: Instant, to: Instant): boolean =>
  faults.some((fault) => fault.type === 'lag' && overlaps(fault, from, to));

/** How long the machine stalled in that time, in milliseconds. */
export const lagWithin = (faults: readonly Fault[], from: Instant, to: Instant): number =>
  faults
    .filter(({ type }) => type === 'lag')
    .reduce((sum, { at, ended = Infinity }) => {
      return sum + Math.max(0, Math.min(ended, to) - Math.max(at, from));
    }, 0);

/** The buyer's connections were broken on purpose: by the network, or by itself when it went down. */
const isCut = ({ type, detail }: Fault): boolean =>
  type === 'network' || (type === 'buyer' && (detail === 'refuse' || detail === 'reset'));

/** An answer within this time is within every buyer's limit (1,000 ms and more). */
const IN_TIME_MS = 300;
/** Before and after an answer, in milliseconds: in transit, and until it is on record (updates take 3 s at most). */
const ON_ITS_WAY_MS = 1_000;
const WRITTEN_WITHIN_MS = 5_000;

/** Whether the sender certainly received the answer, and no fault kept it from recording it. */
function wasHeard(
  { at, ending, endedAt }: BuyerRequest,
  { name }: Pick<BuyerLinkFacts, 'name'>,
  askedAt: Instant,
  { faults }: Pick<Facts, 'faults'>,
): boolean {
  if (ending !== 'answered' || endedAt === null || endedAt - at > IN_TIME_MS) return false;
  const [from, to] = [at - ON_ITS_WAY_MS, endedAt + ON_ITS_WAY_MS];
  const written = endedAt + WRITTEN_WITHIN_MS;
  // The proxies run in this process: a request in transit while it lags arrives that much later.
  const sent = Math.min(from, askedAt);
  return (
    !faults.some((one) => isCut(one) && one.targets.includes(name) && overlaps(one, from, to)) &&
    !sendersWereStruck(faults, from, written) &&
    !wasLagging(faults, sent, written)
  );
}

/** Whether the buyer accepted the lead and the sender certainly received the answer. */
export const saidYes = (
  leadId: string,
  link: Pick<BuyerLinkFacts, 'buyer_id' | 'name'>,
  facts: Pick<Facts, 'faults' | 'requestsOf' | 'leads'>,
): boolean =>
  facts
    .requestsOf(leadId)
    .some(
      (request) =>
        request.buyer_id === link.buyer_id &&
        (request.decision === 'accepted' || request.decision === 'replayed') &&
        wasHeard(request, link, askedBefore(request, facts), facts),
    );

/** When the sender began to send the request, by the trail; if the trail has no time, when the buyer received it. */
function askedBefore(
  { at, lead_id, buyer_id }: BuyerRequest,
  { leads }: Pick<Facts, 'leads'>,
): Instant {
  const asked = (leads.get(lead_id)?.trail ?? [])
    .filter((entry) => entry.step === 'delivery' && entry.buyer_id === buyer_id)
    .map((entry) => Date.parse(String(entry.detail?.asked_at)))
    .filter((instant) => instant <= at);
  return Math.max(...asked, -Infinity) === -Infinity ? at : Math.max(...asked);
}
