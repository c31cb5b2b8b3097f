/** Reports a call to the security log: where it came from, and its result. */
import type { AppError, ErrorCode } from '../../lib/errors.js';
import type { SecurityEvent, SecurityLog } from '../../platform/security/securityLog.js';
import type { Witness, CallerId, Arrivals } from '../../platform/security/witness.js';
import type { Context } from './context.js';

export interface Seen {
  ctx: Context;
  /** As `addressGroup` gives it. */
  address: string;
  /** The template of the path. */
  route: string;
}

/** @param onKnown called once the key of the call is known to be valid */
export function createWitness(
  seen: Seen,
  { security, arrivals }: { security: SecurityLog; arrivals: Arrivals },
  onKnown: (caller: CallerId) => void,
): Witness {
  const { state } = seen.ctx;
  const record = (event: Pick<SecurityEvent, 'event'> & Partial<SecurityEvent>): void =>
    security.record({ ...whereOf(seen), caller: state.caller, ...event });
  return {
    known(caller) {
      state.caller = caller;
      onKnown(caller);
      if (arrivals.isNew(caller, seen.address)) record({ event: 'auth_passed' });
    },
    refused(error) {
      const event = refusalOf(error, state.caller);
      if (event) record(event);
    },
    ran(event, action) {
      record({ event, action });
    },
  };
}

/** For a call whose surface has no keys. */
export const NO_WITNESS: Witness = {
  known: () => undefined,
  refused: () => undefined,
  ran: () => undefined,
};

const whereOf = ({ ctx, address, route }: Seen) => ({
  address,
  method: ctx.method,
  route,
  request_id: ctx.state.requestId,
});

const INPUT_RULES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'validation_failed',
  'malformed_body',
  'invalid_idempotency_key',
  'invalid_input',
  'body_too_large',
  'unsupported_media_type',
]);

/** The event of a refusal; null for one that does not concern security, such as a paused campaign. */
function refusalOf(
  { code, message, extras }: AppError,
  caller: CallerId | undefined,
): Pick<SecurityEvent, 'event' | 'reason'> | null {
  if (code === 'unauthorized') return { event: 'auth_failed', reason: message };
  if (code === 'rate_limited')
    return { event: caller ? 'rate_limited' : 'address_limited', reason: message };
  // A message about an input may contain personal data.
  if (caller && INPUT_RULES.has(code)) return { event: 'input_refused', reason: code };
  if (code !== 'forbidden') return null;
  return { event: extras.required ? 'permission_refused' : 'forbidden', reason: message };
}
