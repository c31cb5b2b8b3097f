/**
 * Leads accepted by Koa and the MongoDB driver alone: a step waits only for what it needs. A process that dies leaves
 * its leads as they are, so a delivery is stored once, when it is over, together with the lead's final state.
 */
import { serveLeads } from './leadServer.js';
import { finish, insertSettledRow } from './records.js';
import { send } from './send.js';
import { sharedSteps } from './steps.js';
import { findSurroundings } from './surroundings.js';
import { goItsWay, type Steps } from './way.js';

const around = await findSurroundings();

const steps: Steps = {
  ...sharedSteps(around),
  deliver: (lead, buyerId, n) => send(around, lead, buyerId, n),
  async record(lead, ending) {
    await Promise.all([
      ...ending.attempts.map((attempt) => insertSettledRow(around, lead, attempt)),
      finish(around, lead, ending),
    ]);
  },
};

serveLeads((id, body) => goItsWay(steps, id, body));
