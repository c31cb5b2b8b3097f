/** The run put something to the test, and no process ended but those that were ended. */
import type { Aim, Violation } from '../evidence/evidence.js';
import { statesOf } from '../coverage/rareStates.js';
import { wasLagging, wereStruck } from './around.js';
import type { Facts, Property } from './facts.js';
import { acknowledged } from './totals.js';

export const enough: Property = (facts) => [...tooLittle(facts), ...endedByThemselves(facts)];

/** Of the leads that were to be posted, at least this share is acknowledged, however busy the machine is. */
const ACKNOWLEDGED_SHARE = 0.02;
/** With fewer kills than this, or only some kinds of faults or campaigns, no rare state is asked for. */
const KILLS_FOR_STATES = 5;
/** Rare states that any run of all faults meets, one more for so many leads, and never more than that. */
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

/** A process that needs a server gives up after so long, in milliseconds, and is started again. */
const STARTS_WITHIN_MS = 20_000;

/** Nothing but our own signals ends a process that serves; one that starts may miss a server that is down. */
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
