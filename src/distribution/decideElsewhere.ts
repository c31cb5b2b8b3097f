/** Has groups of leads decided by the workers of other processes. */
import type { Lead } from '../leads/rules/lead.js';
import { withTimeout } from '../lib/withTimeout.js';
import {
  completeVerdicts,
  NOT_DECIDED,
  withdrawUndecided,
  type Decider,
  type LeadGroup,
  type Verdicts,
  type WithdrawDeps,
} from './decider.js';
import type { LeadStarter } from './starters.js';

export interface DecideElsewhereDeps extends WithdrawDeps {
  starter: Pick<LeadStarter, 'decide'>;
}

/** Leads are stored without a run, and the workflow is started after that: its worker acquires them. */
export const createRemoteDecider = (deps: DecideElsewhereDeps): Decider => ({
  async accept(group) {
    const checked = await group.check();
    return checked.length === 0 ? new Map() : storeAndStart(checked, group, deps);
  },
});

async function storeAndStart(
  checked: readonly Lead[],
  group: LeadGroup,
  deps: DecideElsewhereDeps,
): Promise<Verdicts | null> {
  const { clock, leads, log, starter } = deps;
  let stored = checked;
  let mayRun = false;
  try {
    stored = await group.store(checked);
    if (stored.length === 0) return new Map();
    mayRun = true;
    const leftMs = group.decidedByAt - clock.monotonic();
    const verdicts = await withTimeout(leftMs, NOT_DECIDED, () => starter.decide(stored, leftMs));
    if (verdicts) return completeVerdicts(stored, verdicts);
  } catch (error) {
    log.warn({ err: error, leads: stored.length }, 'a group could not be committed');
  }
  const ids = stored.map(({ _id }) => _id);
  const withdraw = () => leads.withdraw(ids, clock.now());
  // Not started: a lead that is stored is withdrawn when it is found. But a run may be selling a started lead: then a
  // refusal could be false, and so could a promise.
  return (await withdrawUndecided(stored, group, withdraw, deps)) ?? (mayRun ? null : new Map());
}
