import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { kindOf } from './intakeLoad.js';
import { PENDING, saturate, senderOf } from './stage.js';

const SECONDS = 0.3;
const answer = (delivery?: string) => ({
  status: 201,
  data: {
    id: 'lead',
    status: 'ACCEPTED',
    buyer_id: null,
    campaign_id: 'campaign',
    ...(delivery === undefined ? {} : { delivery }),
  },
});

/** The answers in turn, each after a few milliseconds. */
const sending = (kinds: readonly string[]) => ({
  ...senderOf((n) => delay(2, kinds[n % kinds.length] ?? '')),
  say: () => undefined,
  warmUp: 0,
});

describe('a row of a saturated service', () => {
  it('counts delivered leads alone in its rate, and says how many failed or are pending', async () => {
    const kinds = ['delivered', PENDING, '503 unavailable', 'Error SocketError'];
    const row = await saturate(sending(kinds), 4, SECONDS);
    const delivered = row.kinds.delivered ?? 0;
    expect(delivered).toBeGreaterThan(0);
    expect(row.perSecond).toBe(Math.round(delivered / SECONDS));
    expect(row.pending).toBe(row.kinds[PENDING]);
    expect(row.errors).toBe(
      (row.kinds['503 unavailable'] ?? 0) + (row.kinds['Error SocketError'] ?? 0),
    );
  });

  it('does not count an outcome named `pending` as a pending delivery', async () => {
    const row = await saturate(sending(['pending']), 4, SECONDS);
    expect(row.pending).toBe(0);
    expect(row.perSecond).toBe(Math.round((row.kinds.pending ?? 0) / SECONDS));
  });

  it('reports how the processors were shared on request', async () => {
    const cpuGroups = { own: [], mongod: [], temporal: [], buyers: [], load: [process.pid] };
    const row = await saturate({ ...sending(['delivered']), cpuGroups }, 4, SECONDS);
    expect(row.cores?.own).toBe(0);
    expect(row.cores?.idle).toBeGreaterThanOrEqual(0);
    expect(await saturate(sending(['delivered']), 1, 0.05)).not.toHaveProperty('cores');
  });

  it('reports the groups that the intake settled meanwhile, where there are any', async () => {
    const readings = [
      { groups: 1, leads: 1, seconds: 1 },
      { groups: 5, leads: 81, seconds: 2 },
    ];
    const groups = () => Promise.resolve(readings.shift() ?? { groups: 5, leads: 81, seconds: 2 });
    const lines: string[] = [];
    const stage = { ...sending(['delivered']), say: (line: string) => lines.push(line), groups };
    expect(await saturate(stage, 1, 0.05)).toMatchObject({ groups: { leadsPerGroup: 20 } });
    expect(lines.join()).toContain('groups: 20.0 leads each');
    expect(await saturate(stage, 1, 0.05)).not.toHaveProperty('groups');
  });
});

it.each([
  [answer('delivered'), 'delivered'],
  [answer('pending'), PENDING],
  [answer(), 'ACCEPTED'],
  [{ status: 503, error: 'unavailable' }, '503 unavailable'],
])('the class of an answer is its delivery, its status, or its refusal: %j', (said, kind) => {
  expect(kindOf(said)).toBe(kind);
});
