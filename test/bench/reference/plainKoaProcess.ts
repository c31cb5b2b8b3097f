/**
 * Leads taken by Koa and the MongoDB driver alone: each step is awaited before the next one begins. A process that dies
 * leaves its leads where they are, so a delivery is written down once, when it is over.
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
    for (const attempt of ending.attempts) await insertSettledRow(around, lead, attempt);
    await finish(around, lead, ending);
  },
};

serveLeads((id, body) => goItsWay(steps, id, body));
