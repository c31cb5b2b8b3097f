import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signBody } from '../../../src/platform/security/signatures.js';
import { startReceiver, type ReceiverProcess } from './receiverClient.js';

const SECRET = 'the secret of an automation';

describe('the receiver of events', () => {
  let folder: string;
  let receiver: ReceiverProcess;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chaos-receiver-'));
    receiver = await startReceiver({ seed: 'seed', journal: join(folder, 'received.jsonl') });
    await receiver.introduce({ path: { automation_id: 'a1', secret: SECRET } });
  });
  afterEach(async () => {
    await receiver.stop();
    await rm(folder, { recursive: true });
  });

  /** The status of the answer; null when there is none. */
  async function tell(id: string, { path = 'path', secret = SECRET, header = id } = {}) {
    const body = JSON.stringify({ id, type: 'lead.created', data: { lead_id: 'l1' } });
    const headers = { 'webhook-id': header, 'x-leaddistro-signature': signBody(secret, body) };
    const reply = await fetch(receiver.url(path), { method: 'POST', body, headers }).catch(
      () => null,
    );
    return reply?.status ?? null;
  }

  it('has recorded its answer, also when the answer was cut', async () => {
    const ids = Array.from({ length: 120 }, (_, n) => `evt_${n}`);
    const said = new Map(await Promise.all(ids.map(async (id) => [id, await tell(id)] as const)));
    const lines = await receiver.received();
    expect(lines.map(({ event_id }) => event_id).sort()).toEqual(ids.sort());
    for (const { event_id, status, cut } of lines)
      expect(said.get(event_id)).toBe(cut ? null : status);
    expect(new Set(said.values())).toEqual(new Set([200, 503, null]));
    expect(lines[0]).toMatchObject({ automation_id: 'a1', type: 'lead.created', lead_id: 'l1' });
    expect(lines.every(({ flaw }) => flaw === undefined)).toBe(true);
  });

  it('accepts everything once it is calm', async () => {
    await receiver.calm();
    const said = await Promise.all(Array.from({ length: 60 }, (_, n) => tell(`evt_${n}`)));
    expect(new Set(said)).toEqual(new Set([200]));
  });

  it('reports what is wrong with a request', async () => {
    await receiver.calm();
    await tell('evt_1', { path: 'other' });
    await tell('evt_2', { header: 'evt_3' });
    await tell('evt_4', { secret: 'another' });
    expect((await receiver.received()).map(({ flaw }) => flaw)).toEqual([
      'the path is /other, which no automation has',
      'webhook-id is evt_3, the id is evt_2',
      'the signature is false',
    ]);
  });
});
