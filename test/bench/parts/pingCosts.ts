/**
 * The cost of a ping for every process, the delay of an auction with a buyer that never answers, and the cost of
 * expiring pings.
 */
import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { createExpiryStarter } from '../../../src/platform/temporal/expiryStarter.js';
import { pingExpiryId } from '../../../src/platform/temporal/names.js';
import type { Bench } from '../bench.js';
import { startMeter, told, type Meter } from '../meters/cost.js';
import { openLoop, percentile } from '../load/load.js';
import type { Say, Shape } from '../part.js';
import type { MarketSpec, PingMarket } from '../load/pingMarket.js';
import { LIVE, STATIC, withMarket } from './pings.js';
import { arrive, isError, saturate, type Stage } from '../load/stage.js';

const WARM_UP_SECONDS = 3;
const REFUSING: MarketSpec = {
  ...STATIC,
  filters: { all: [{ id: 'only', field: 'state', operator: '==', value: 'TX' }] },
};
/** A campaign's shortest usual deadline; the silent buyer answers now and then, so that its breaker stays closed. */
const DEADLINE_MS = 300;
const SILENT: MarketSpec = {
  buyers: [
    { price: 1, path: '/bid/11.5' },
    { price: 2, path: '/seldom/3/12.5' },
  ],
  deadline_ms: DEADLINE_MS,
};
const SILENT_PER_SECOND = 20;
const SILENT_SECONDS = 20;
const LIVE_PER_SECOND = 50;

export async function pingCosts(bench: Bench, { seconds }: Shape, say: Say) {
  const meter = await startMeter(bench);
  const stage = (market: PingMarket): Stage => ({
    meter,
    say,
    warmUp: WARM_UP_SECONDS,
    send: (n) => market.ping(n),
    sent: () => market.sent(),
  });
  const rows = [
    ...(await withMarket(bench, say, 'static prices', STATIC, async (market) => [
      await saturate(stage(market), 32, seconds),
      await saturate(stage(market), 128, seconds),
      await saturate(stage(market), 256, seconds),
      await arrive(stage(market), 500, 60),
      await arrive(stage(market), 1_000, 10),
    ])),
    ...(await withMarket(bench, say, 'refused by a filter', REFUSING, async (market) => [
      await saturate(stage(market), 128, seconds),
    ])),
    ...(await withMarket(bench, say, 'five live buyers', LIVE, async (market) => [
      await saturate(stage(market), 32, seconds),
      await arrive(stage(market), LIVE_PER_SECOND, 20),
    ])),
  ];
  const overrun = await withMarket(bench, say, 'a silent buyer', SILENT, (market) =>
    measureOverrun(market, say),
  );
  return { rows, overrun, expiry: await measureExpiry(bench, meter, say) };
}

/** The time after its deadline at which an auction is answered whose best buyer never answers. */
async function measureOverrun(market: PingMarket, say: Say) {
  const { samples } = await openLoop(SILENT_PER_SECOND, SILENT_SECONDS, WARM_UP_SECONDS, (n) =>
    market.ping(n),
  );
  const waited = samples.filter(({ kind, ms }) => kind === '1 bid' && ms >= DEADLINE_MS - 50);
  const passedBy = samples.filter(({ kind, ms }) => kind === '1 bid' && ms < DEADLINE_MS - 50);
  const overrun = {
    auctions: waited.length,
    p50: percentile(waited, 50) - DEADLINE_MS,
    p99: percentile(waited, 99) - DEADLINE_MS,
    errors: samples.filter(isError).length,
  };
  say(
    `  a buyer that does not answer, deadline ${DEADLINE_MS} ms: ${overrun.auctions} auctions over it by ` +
      `p50 ${overrun.p50} ms, p99 ${overrun.p99} ms; errors ${overrun.errors}; ` +
      `${passedBy.length} passed it by while it rested`,
  );
  return overrun;
}

/** All pings of the earlier runs expire at once: the worst possible minute. */
async function measureExpiry({ stack, collections, queues }: Bench, meter: Meter, say: Say) {
  const connection = await NativeConnection.connect({ address: stack.temporalAddress });
  try {
    const client = new Client({ connection });
    const until = new Date();
    const due = { state: 'open' as const };
    const open = await collections.pings.countDocuments(due);
    await collections.pings.updateMany(due, { $set: { expires_at: until } });
    const started = performance.now();
    let ms = 0;
    const cost = await meter.measure(async () => {
      await createExpiryStarter(client, queues).expire(until);
      await client.workflow.getHandle(pingExpiryId(queues, until)).result();
      ms = performance.now() - started;
      return open;
    });
    const left = await collections.pings.countDocuments(due);
    const events = await collections.events
      .aggregate<{ told: number }>([
        { $match: { type: 'ping.expired' } },
        { $group: { _id: null, told: { $sum: '$data.count' } } },
      ])
      .toArray();
    const tellings = events[0]?.told ?? 0;
    say(
      `  expiry of ${open} pings by one workflow: ${Math.round(ms)} ms, ${left} left open, ${tellings} told of`,
    );
    say(`    ${told(cost)}`);
    return { pings: open, ms: Math.round(ms), left, told: tellings, cost };
  } finally {
    await connection.close();
  }
}
