/** The run tested enough, and no process ended unless the run ended it. */
import type { Aim, Evidence, Violation } from '../evidence/evidence.js';
import { statesOf } from '../coverage/rareStates.js';
import { wasLagging, wereStruck } from './around.js';
import { indexFacts, type Facts, type Property } from './facts.js';
import { acknowledged } from './totals.js';

export const enough: Property = (facts) => [...tooLittle(facts), ...endedByThemselves(facts)];

/** Whether a run with this evidence so far has met enough to be meaningful. */
export const hasTestedEnough = (evidence: Evidence): boolean =>
  tooLittle(indexFacts(evidence)).length === 0;

/** At least this share of the planned leads is acknowledged, however busy the machine is. */
const ACKNOWLEDGED_SHARE = 0.02;
/** With fewer kills than this, or only some kinds of faults or campaigns, no rare states are required. */
const KILLS_FOR_STATES = 5;
/** Rare states that any run of all faults reaches: the minimum, the leads for each further one, and the maximum. */
const STATES_MIN = 10;
const LEADS_A_STATE = 2_000;
const STATES_MAX = 30;

function tooLittle(facts: Facts): Violation[] {
  const { aim } = facts.evidence;
  if (!aim) return [];
  const untested = (what: string): Violation[] => [
    { total: 'untested', rule: 'too_little_tested', what },
  ];
  const taken = acknowledged(facts.evidence);
  const least = Math.max(1, Math.round(leadsOf(aim) * ACKNOWLEDGED_SHARE));
  const wanted = statesWanted(aim);
  const met = wanted === 0 ? 0 : statesOf(facts).filter(({ count }) => count > 0).length;
  return [
    ...(taken < least
      ? untested(`${taken} leads were acknowledged; a run like this needs ${least}`)
      : []),
    ...(met < wanted
      ? untested(`${met} rare states were met; a run like this needs ${wanted}`)
      : []),
  ];
}

const leadsOf = ({ rate, seconds }: Aim): number => rate * seconds;

const statesWanted = (aim: Aim): number =>
  aim.whole && aim.kills >= KILLS_FOR_STATES
    ? Math.min(STATES_MAX, STATES_MIN + Math.floor(leadsOf(aim) / LEADS_A_STATE))
    : 0;

/** A process that needs a server exits after this time, in milliseconds, and is started again. */
const STARTS_WITHIN_MS = 20_000;

/** Only the run's own signals end a process that serves; one that starts may find a server down. */
function endedByThemselves({ evidence, faults }: Facts): Violation[] {
  return (evidence.ends ?? []).flatMap(({ at, name, served }): Violation[] => {
    const from = at - STARTS_WITHIN_MS;
    const isExcused =
      !served && (wereStruck(faults, SERVERS, from, at) || wasLagging(faults, from, at));
    if (isExcused) return [];
    const what = `${name} ended by itself at ${new Date(at).toISOString()}, ${served ? 'while it served' : 'before it served'}`;
    return [{ total: 'crashed', rule: 'process_ended', what }];
  });
}

const SERVERS = ['mongod', 'temporal'];
