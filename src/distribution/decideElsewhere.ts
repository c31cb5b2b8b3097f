/** Has groups of leads decided by the workers of other processes. */
import {
  decideOrWithdraw,
  type Decider,
  type DeciderDeps,
  type Progress,
  type Steps,
} from './decider.js';
import type { LeadStarter } from './starters.js';

export interface DecideElsewhereDeps extends DeciderDeps {
  starter: Pick<LeadStarter, 'decide'>;
}

/** Leads are stored without a run, and the workflow is started after that: its worker acquires them. */
export const createRemoteDecider = (deps: DecideElsewhereDeps): Decider => ({
  async accept(group) {
    const { leads, clock, starter } = deps;
    const progress: Progress = { leads: await group.check(false), mayRun: false };
    if (progress.leads.length === 0) return new Map();
    const decide = async () => {
      progress.leads = await group.store(progress.leads);
      progress.mayRun = progress.leads.length > 0;
      if (!progress.mayRun) return [];
      return starter.decide(progress.leads, group.decidedByAt - clock.monotonic());
    };
    const withdraw: Steps['withdraw'] = (undecided) =>
      leads.withdraw(
        undecided.map(({ _id }) => _id),
        clock.now(),
      );
    return decideOrWithdraw(progress, group, { decide, withdraw }, deps);
  },
});
