/** Rare states of processes that were killed. */
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { Facts } from '../checker/facts.js';
import type { Fault } from '../evidence/evidence.js';
import type { Counter } from './rareCounters.js';

/** A connection of a killed process is gone within this time, in milliseconds. */
const CUT_WITHIN_MS = 300;
const DECIDING = ['intake', 'worker'];
const ANSWERING = ['intake', 'api'];

export const STATES_OF_KILLS: Record<string, Counter> = {
  'worker or intake killed while it waited for a buyer': cutByKill(DECIDING),
  'delivery killed while it waited for a buyer': cutByKill(['delivery']),
  'api or intake killed between the decision and the answer': cutFromAnswer(
    ({ decided_at, status }, killed) =>
      status !== 'WITHDRAWN' && decided_at !== undefined && Number(decided_at) <= killed.at,
  ),
  'api or intake killed before it had the lead started': cutFromAnswer(
    ({ status, takes }) => status === 'WITHDRAWN' && takes === 0,
  ),
};

const killsOf = ({ faults }: Pick<Facts, 'faults'>, roles: readonly string[]): readonly Fault[] =>
  faults.filter(
    ({ type, targets }) => type === 'kill' && targets.some((one) => roles.includes(one)),
  );

/** Requests to buyers that were cut by the death of the process that waited for them. */
function cutByKill(roles: readonly string[]): Counter {
  return ({ requests: all, faults, evidence }) => {
    const kills = killsOf({ faults }, roles);
    const cuts = new Map(
      evidence.journal.filter(({ step }) => step === 'cut').map((line) => [line.request, line.at]),
    );
    return all.filter(({ request }) => {
      const at = cuts.get(request) ?? 0;
      return kills.some((kill) => at >= kill.at && at - kill.at < CUT_WITHIN_MS);
    }).length;
  };
}

/** Requests of suppliers that were cut by the death of the process that would have answered, with such a lead. */
function cutFromAnswer(is: (lead: Lead, killed: Fault) => boolean): Counter {
  return ({ operations, faults, leadsOfOperation }) => {
    const kills = killsOf({ faults }, ANSWERING);
    return operations.filter((operation) => {
      const { asked, told } = operation;
      if (told === null || told.answer !== null) return false;
      const killed = kills.find(
        ({ at }) => at >= asked.at && told.at >= at && told.at - at < CUT_WITHIN_MS,
      );
      return (
        killed !== undefined &&
        leadsOfOperation(operation).some((lead) => {
          const createdAt = Number(lead.created_at);
          return createdAt >= asked.at && createdAt <= killed.at && is(lead, killed);
        })
      );
    }).length;
  };
}
