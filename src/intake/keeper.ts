/**
 * Keeps promises made while the database could not be asked. A group was stored and its start was tried,
 * then neither could be confirmed nor taken back: its suppliers are told `pending`, because a run may be
 * selling these leads. An intake that knows of the promise takes up those that no run has taken; once it
 * is started, Temporal remembers it.
 */
import type { Log } from '../log.js';
import type { LeadRef, LeadStarter } from '../temporal/starters.js';

export interface Keeper {
  keep(leads: readonly LeadRef[]): void;
}

const RETRY_MS = 250;

export function createKeeper(deps: { starter: Pick<LeadStarter, 'restart'>; log: Log }): Keeper {
  let kept: LeadRef[] = [];
  let running = false;

  const run = async () => {
    while (kept.length > 0) {
      const group = kept;
      kept = [];
      try {
        await deps.starter.restart(group, { promised: true });
      } catch (error) {
        deps.log.warn({ err: error, leads: group.length }, 'promised leads are not under way yet');
        kept = [...group, ...kept];
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    running = false;
  };

  return {
    keep(leads) {
      kept.push(...leads);
      if (running) return;
      running = true;
      void run();
    },
  };
}
