/** Pings per second with static prices and with live buyers. Each acknowledged ping must be in MongoDB. */
import type { Bench } from '../bench.js';
import { figuresOf } from '../report/figures.js';
import type { Measure, Say } from '../part.js';
import { openMarket, type MarketSpec, type PingMarket } from '../load/pingMarket.js';
import { arrive, saturate } from '../load/stage.js';

const WARM_UP_SECONDS = 1;
/** Before the measurement: the first pings of a process are its slowest. */
const FIRST_SECONDS = 3;
const OPEN = 256;
const LIVE_OPEN = 32;
const PER_SECOND = 500;
export const STATIC: MarketSpec = { buyers: [{ price: 30 }, { price: 20 }, { price: 10 }] };
export const LIVE: MarketSpec = {
  buyers: [1, 2, 3, 4, 5].map((n) => ({ price: n, path: `/bid/${10 + n}.5` })),
};

export const pings: Measure = async (bench, { seconds, rounds }, say) => {
  const of = (market: PingMarket) => ({
    say,
    warmUp: WARM_UP_SECONDS,
    send: (n: number) => market.ping(n),
    sent: () => market.sent(),
  });
  const fixed: number[] = [];
  const late: number[] = [];
  const live: number[] = [];
  await withMarket(bench, say, 'static prices', STATIC, async (market) => {
    await saturate({ ...of(market), warmUp: 0 }, OPEN, FIRST_SECONDS);
    for (let round = 0; round < rounds; round++) {
      fixed.push((await saturate(of(market), OPEN, seconds)).perSecond);
      late.push((await arrive(of(market), PER_SECOND, seconds)).p99);
    }
  });
  await withMarket(bench, say, 'five live buyers', LIVE, async (market) => {
    for (let round = 0; round < rounds; round++)
      live.push((await saturate(of(market), LIVE_OPEN, seconds)).perSecond);
  });
  return [
    ...figuresOf('pings_per_s', fixed, `${OPEN} open`),
    ...figuresOf('ping_500_p99_ms', late, `${PER_SECOND} a second, static prices`),
    ...figuresOf('pings_live_per_s', live, `${LIVE_OPEN} open, five buyers asked for each`),
  ];
};

/** Runs `work` on a market of its own, and audits the acknowledged pings. */
export async function withMarket<T>(
  bench: Bench,
  say: Say,
  name: string,
  spec: MarketSpec,
  work: (market: PingMarket) => Promise<T>,
): Promise<T> {
  const market = await openMarket(bench, spec);
  const result = await work(market);
  const { acknowledged, missing, beside } = await market.audit();
  say(`  ${name}: ${acknowledged} acknowledged, ${missing} missing, ${beside} stored beside`);
  if (missing > 0)
    bench.failures.push(
      `${missing} of ${acknowledged} acknowledged pings (${name}) are not stored.`,
    );
  await market.close();
  return result;
}
