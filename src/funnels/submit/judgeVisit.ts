/** Whether a visitor is a person, decided without a third party. */
import type { SuspectReason } from '../../leads/rules/origin.js';
import type { Clock } from '../../lib/clock.js';
import type { FunnelAllowances } from './allowances.js';
import type { ProofVerdict, Proofs } from './proof.js';
import type { Visit } from './visit.js';

export type Judged =
  | { kind: 'judged'; suspect: SuspectReason | null }
  /** The funnel receives more submits than expected: a proof of work is required first, or a wait. */
  | { kind: 'work'; until: Date; seconds: number };

export interface JudgeDeps {
  clock: Pick<Clock, 'now'>;
  proofs: Pick<Proofs, 'judge'>;
  allowances: Pick<FunnelAllowances, 'submitFrom' | 'isBusy'>;
}

/** People take longer than this to fill in a page. */
const FILL_MIN_MS = 3_000;
/** How long a browser without scripts waits instead of computing a proof. */
const WAIT_MS = 10_000;

/** A preview is never suspected: its address is signed. */
export async function judgeVisit(visit: Visit, deps: JudgeDeps): Promise<Judged> {
  const { page, posted } = visit;
  if (page.mode === 'preview') return { kind: 'judged', suspect: null };
  const now = deps.clock.now();
  const proof = posted.proof === '' ? null : await deps.proofs.judge(posted.proof, page.nonce);
  if (proof === null && (await isAsked(visit, now, deps))) {
    const until = page.notBefore ?? new Date(Number(now) + WAIT_MS);
    const seconds = Math.max(1, Math.ceil((Number(until) - Number(now)) / 1_000));
    return { kind: 'work', until, seconds };
  }
  return { kind: 'judged', suspect: suspectOf(visit, proof, now) };
}

/** A page that has waited once does not wait again. */
function isAsked(
  { page: { notBefore }, shown: { funnel, definition } }: Visit,
  now: Date,
  { allowances }: JudgeDeps,
): boolean | Promise<boolean> {
  if (notBefore !== undefined) return now < notBefore;
  return allowances.isBusy(funnel._id, definition.protection.submissions_per_minute);
}

function suspectOf(
  { page, posted }: Visit,
  proof: ProofVerdict | null,
  now: Date,
): SuspectReason | null {
  if (posted.hasFilledTrap) return 'honeypot';
  if (proof === 'invalid') return 'no_proof';
  if (proof === 'other') return 'reused_proof';
  // A clock that was set back must not make a visitor look like a bot.
  const age = Number(now) - Number(page.issuedAt);
  return age >= 0 && age < FILL_MIN_MS ? 'too_fast' : null;
}
