/** A mix of everything: of twenty requests twelve leads, four pings, three outcomes and one lookup. */
import { Agent, request } from 'undici';
import type { AccountSpec } from '../../support/account.js';
import type { Bench } from '../bench.js';
import { figuresOf } from '../report/figures.js';
import { openIntake, orError, type IntakeLoad } from '../load/intakeLoad.js';
import type { Measure } from '../part.js';
import { STATIC, withMarket } from './pings.js';
import { sellLeads } from '../load/soldLeads.js';
import { saturate, senderOf } from '../load/stage.js';

const OPEN = 64;
const WARM_UP_SECONDS = 1;
/** Each supplier may look up 10 per second. */
const SUPPLIERS = 40;
const SOLD = 2_000;
/** Kinds by request number modulo 20. */
const TURNS = 'lplolplplolplllollql';

const manySuppliers = (url: string): AccountSpec => ({
  suppliers: SUPPLIERS,
  buyers: { fast: { delivery: { url: `${url}/fast/1` } } },
});

export const mixed: Measure = async (bench, { seconds, rounds }, say) => {
  const leads = await openIntake(bench, manySuppliers);
  const sold = await sellLeads(bench, SOLD);
  const agent = new Agent({ connections: OPEN, keepAliveTimeout: 60_000 });
  const lookUp = looking(bench, leads, agent);
  // Each supplier has a lead to look up.
  await Promise.all(Array.from({ length: SUPPLIERS }, (_, n) => leads.send(n)));
  const rows = await withMarket(bench, say, 'mixed', STATIC, async (market) => {
    const sender = senderOf((n) => {
      const turn = TURNS[n % TURNS.length];
      if (turn === 'p') return market.ping(n);
      if (turn === 'o') return sold.say(n);
      return turn === 'q' ? lookUp() : leads.send(n);
    });
    const measured = [];
    for (let round = 0; round < rounds; round++)
      measured.push(await saturate({ ...sender, say, warmUp: WARM_UP_SECONDS }, OPEN, seconds));
    return measured;
  });
  await Promise.all([sold.close(), agent.destroy()]);
  const rates = rows.map(({ perSecond }) => perSecond);
  const late = rows.map(({ p99 }) => p99);
  const note = `${OPEN} open; of twenty twelve leads, four pings, three outcomes, a lookup`;
  return [...figuresOf('mixed_per_s', rates, note), ...figuresOf('mixed_p99_ms', late, note)];
};

/** Looks up the status of a supplier's last lead, for the suppliers in turn. */
function looking({ apiUrl }: Bench, { account, last }: IntakeLoad, dispatcher: Agent) {
  let asked = 0;
  return () =>
    orError(async () => {
      const place = ++asked % SUPPLIERS;
      const reply = await request(`${apiUrl}/api/v1/leads/lookup?id=${last.get(place) ?? ''}`, {
        dispatcher,
        headers: { 'x-api-key': account.suppliers[place]?.key ?? '' },
      });
      await reply.body.dump();
      return reply.statusCode === 200 ? 'lookup' : `${reply.statusCode} lookup`;
    });
}
