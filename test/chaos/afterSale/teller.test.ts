import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '../../support/waitFor.js';
import type { HistoryEvent } from '../evidence/evidence.js';
import { readOutcome } from './sendReport.js';
import { startOutcomeReporter, type OutcomeReporter } from './outcomeReporter.js';

interface Posted {
  secret: string | undefined;
  lead_id: string;
  outcome: string;
  idempotency_key: string;
  conversion_revenue?: number;
  lead_value?: number;
}

const LEADS = 30;

describe('buyers that report outcomes', () => {
  let server: Server | undefined;
  let outcomeReporter: OutcomeReporter | undefined;
  afterEach(async () => {
    await outcomeReporter?.stop();
    server?.closeAllConnections();
    server?.close();
  });

  /** A service that refuses or cuts the first request under every key, and then repeats its answers. */
  async function run(): Promise<{ posted: Posted[]; events: HistoryEvent[] }> {
    const posted: Posted[] = [];
    const bodies = new Map<string, string>();
    let firsts = 0;
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const body = JSON.parse(text) as Posted;
        const { idempotency_key: key, outcome } = body;
        const first = !posted.some((one) => one.idempotency_key === key);
        posted.push({ ...body, secret: String(request.headers['x-buyer-secret']) });
        if (first && ++firsts % 2 === 0) {
          request.socket.destroy();
          return;
        }
        const known = bodies.get(key) ?? text;
        const status = first ? 503 : known === text ? 200 : 409;
        if (status === 200) bodies.set(key, text);
        response.writeHead(status).end(JSON.stringify({ data: { outcome, replayed: false } }));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const events: HistoryEvent[] = Array.from({ length: LEADS }, (_, op) => ({
      kind: 'completed',
      at: 0,
      op,
      outcome: 'ok',
      answer: 'delivered',
      status: 201,
      lead_id: `lead-${op}`,
      buyer_id: 'b1',
      duplicate_of: null,
      replayed: false,
    }));
    outcomeReporter = startOutcomeReporter({
      seed: 'seed',
      urls: [`http://127.0.0.1:${port}`],
      history: { events, append: (event) => void events.push(event) },
      secretOf: (buyerId) => `secret of ${buyerId}`,
    });
    const begun = () => new Set(posted.map(({ lead_id }) => lead_id)).size;
    await waitFor(() => begun() >= 5, { message: 'outcomes of five leads', timeoutMs: 20_000 });
    await outcomeReporter.stop();
    return { posted, events };
  }

  it('report two outcomes for a share of leads, each under its own key until it is answered', async () => {
    const { posted, events } = await run();
    const told = events.filter((event) => event.kind === 'outcome_told');
    expect(told).toHaveLength(posted.length);
    expect(told.map(({ answer }) => answer)).toEqual(
      expect.arrayContaining(['made', 'not_taken', null]),
    );
    const leads = Map.groupBy(posted, ({ lead_id }) => lead_id);
    expect(leads.size).toBeLessThan(LEADS / 2);
    for (const own of leads.values()) {
      const meant = own.filter(({ lead_value }) => lead_value === undefined);
      const outcomes = [...new Set(meant.map(({ outcome }) => outcome))];
      expect(outcomes[0]).toBe('pending');
      expect(['converted', 'not_qualified']).toContain(outcomes[1]);
      expect(own[0]?.secret).toBe('secret of b1');
      for (const { outcome, conversion_revenue } of own)
        expect(conversion_revenue !== undefined).toBe(outcome === 'converted');
      const keys = Map.groupBy(meant, ({ idempotency_key }) => idempotency_key);
      expect(keys.size).toBe(2);
      for (const same of keys.values()) {
        expect(same.length).toBeGreaterThan(1);
        expect(new Set(same.map((one) => JSON.stringify(one))).size).toBe(1);
      }
    }
  });

  it.each([
    [200, 'made', 'ok'],
    [409, 'conflict', 'ok'],
    [429, 'limited', 'fail'],
    [503, 'not_taken', 'fail'],
    [504, 'cannot_tell', 'info'],
    [404, 'unexpected', 'info'],
    [500, 'unexpected', 'info'],
  ])('read %i as %s', (status, answer, result) => {
    const text = JSON.stringify({ data: { outcome: 'converted', replayed: true } });
    expect(readOutcome({ status, text })).toMatchObject({ answer, result, status });
  });

  it('read what an answer says of the sale', () => {
    const text = JSON.stringify({ data: { outcome: 'converted', replayed: true } });
    expect(readOutcome({ status: 200, text })).toMatchObject({
      outcome: 'converted',
      replayed: true,
    });
  });
});
