/** How many actions per second the Actions API runs: reads and writes, by keys with high rate limits. */
import { Agent, request } from 'undici';
import { setKeyLimits } from '../../../src/account/keys/keyLimits.js';
import { createOrgKey, keyIdOf, permissionsOf } from '../../../src/account/keys/keys.js';
import type { TestAccount } from '../../support/account.js';
import type { Bench } from '../bench.js';
import { figuresOf } from '../report/figures.js';
import { orError } from '../load/intakeLoad.js';
import type { Measure } from '../part.js';
import { saturate, senderOf, type Sender } from '../load/stage.js';
import { accountOf } from '../../support/org.js';

/** Number of keys, each with the highest possible limit: a 429 would distort the result. */
const KEYS = 100;
const LIMITS = { calls_per_minute: 10_000, writes_per_minute: 10_000 };
const BUYERS = 20;
const OPEN = 64;
const WARM_UP_SECONDS = 1;

export const actions: Measure = async (bench, { seconds, rounds }, say) => {
  const { account, supplier } = await bench.account((url) => ({
    buyers: Object.fromEntries(
      Array.from({ length: BUYERS }, (_, n) => [
        `buyer ${n + 1}`,
        { delivery: { url: `${url}/fast/${n + 1}` } },
      ]),
    ),
  }));
  await supplier.close();
  const agent = new Agent({ connections: OPEN, keepAliveTimeout: 60_000 });
  const call = await caller(bench, account, agent);
  const measure = async (sender: Sender): Promise<number> => {
    const stage = { ...sender, say, warmUp: WARM_UP_SECONDS };
    return (await saturate(stage, OPEN, seconds)).perSecond;
  };
  const { reading, writing } = loadsOf(account, call);
  const reads: number[] = [];
  const writes: number[] = [];
  for (let round = 0; round < rounds; round++) {
    reads.push(await measure(reading));
    writes.push(await measure(writing));
  }
  await agent.destroy();
  return [
    ...figuresOf('actions_read_per_s', reads, `get_campaign, list_buyers, get_buyer; ${OPEN} open`),
    ...figuresOf('actions_write_per_s', writes, `create_supplier; ${OPEN} open`),
  ];
};

type Call = (n: number, action: string, input: Record<string, unknown>) => Promise<string>;

function loadsOf({ campaignId, buyers }: TestAccount, call: Call) {
  const ids = Object.values(buyers);
  const reading = senderOf((n) => {
    if (n % 3 === 0) return call(n, 'get_campaign', { campaign_id: campaignId });
    if (n % 3 === 1) return call(n, 'list_buyers', {});
    return call(n, 'get_buyer', { buyer_id: ids[n % ids.length] });
  });
  // Each call changes its own record: two concurrent changes of one may refuse each other, which says nothing of speed.
  const writing = senderOf((n) => call(n, 'create_supplier', { name: `Supplier of bench ${n}` }));
  return { reading, writing };
}

/** Each call uses another key. */
async function caller(
  { collections, apiUrl }: Bench,
  { orgId }: TestAccount,
  dispatcher: Agent,
): Promise<Call> {
  const keys: string[] = [];
  for (let n = 1; n <= KEYS; n++) {
    const permissions = permissionsOf('write');
    const { key, api_key } = await createOrgKey(accountOf({ collections }, orgId), {
      name: `Key ${n}`,
      permissions,
    });
    await setKeyLimits(accountOf({ collections }, orgId), keyIdOf(key), LIMITS);
    keys.push(api_key);
  }
  return (n, action, input) =>
    orError(async () => {
      const reply = await request(`${apiUrl}/api/v1/actions/${action}`, {
        method: 'POST',
        dispatcher,
        body: JSON.stringify(input),
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${keys[n % KEYS] ?? ''}`,
        },
      });
      const said = (await reply.body.json()) as { error?: string };
      return reply.statusCode === 200 ? action : `${reply.statusCode} ${said.error ?? ''}`;
    });
}
