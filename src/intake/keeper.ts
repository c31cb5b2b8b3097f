/**
 * Keeps promises made while the database could not be asked. A group was stored and its start was tried,
 * then neither could be confirmed nor taken back: its suppliers were told `pending`, because a run may be
 * selling these leads. As soon as the database answers, leads that no run has taken are set going.
 */
import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import type { LeadStore } from '../store/leads.js';
import type { LeadRef, LeadStarter } from '../temporal/starters.js';

export interface Keeper {
  keep(leads: readonly LeadRef[]): void;
}

const RETRY_MS = 250;

export function createKeeper(deps: {
  leads: LeadStore;
  starter: Pick<LeadStarter, 'restart'>;
  clock: Clock;
  log: Log;
}): Keeper {
  let kept: LeadRef[] = [];
  let timer: NodeJS.Timeout | undefined;

  const attempt = async () => {
    const group = kept;
    kept = [];
    try {
      const ids = await deps.leads.prolong(
        group.map((lead) => lead._id),
        deps.clock.now(),
      );
      await deps.starter.restart(group.filter((lead) => ids.has(lead._id)));
    } catch (error) {
      deps.log.warn({ err: error, leads: group.length }, 'promised leads are not under way yet');
      kept = [...group, ...kept];
    }
    timer = undefined;
    schedule();
  };

  const schedule = () => {
    if (kept.length > 0) timer ??= setTimeout(() => void attempt(), RETRY_MS).unref();
  };

  return {
    keep(leads) {
      kept.push(...leads);
      schedule();
    },
  };
}
