import { afterEach, describe, expect, it } from '@jest/globals';
import { AppError, unavailable } from '../../../src/lib/errors.js';
import type { HttpServer } from '../../../src/api/http/server.js';
import type { IngestAnswer } from '../../../src/ingest/types.js';
import { ErrorBody } from '../../../src/api/schemas/error.js';
import { IngestResult } from '../../../src/ingest/schemas/ingest.js';
import {
  accepted,
  defer,
  fakeIntake,
  openSocket,
  readToEnd,
  send,
  startServer,
  type FakeIntake,
  type HttpReply,
} from '../../support/http.js';
import { waitFor } from '../../support/waitFor.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const LEAD = { flo_campaign_id: 'campaign-1', flo_supplier_id: 'supplier-1', first_name: 'Zoë 🦊' };
const RAW = `POST /api/v1/ingest HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`;

describe('POST /api/v1/ingest', () => {
  let server: HttpServer;
  afterEach(() => server.close(0));

  async function start(intake: FakeIntake): Promise<FakeIntake> {
    server = await startServer({ intake });
    return intake;
  }

  const post = (headers: Record<string, string> = {}): Promise<HttpReply> =>
    send(`${server.url}/api/v1/ingest`, {
      method: 'POST',
      headers: { ...JSON_TYPE, ...headers },
      body: JSON.stringify(LEAD),
    });

  it('passes on key, body, Idempotency-Key and arrival unchanged', async () => {
    const intake = await start(fakeIntake());
    await post({ 'x-api-key': 'lw_live_1', 'idempotency-key': '"quoted"' });
    await post();
    expect(intake.requests[0]).toMatchObject({
      key: 'lw_live_1',
      idempotencyKey: '"quoted"',
      body: LEAD,
    });
    expect(intake.requests[0]?.receivedAt).toBeLessThanOrEqual(performance.now());
    expect(intake.requests[1]).toMatchObject({ key: undefined, idempotencyKey: undefined });
  });

  it('answers 201 with the lead, and notifies the intake that the answer was written', async () => {
    const intake = await start(fakeIntake());
    const reply = await post();
    expect(reply.status).toBe(201);
    expect(IngestResult.strict().parse(reply.json)).toEqual({ data: accepted.data });
    expect(reply.headers['idempotent-replayed']).toBeUndefined();
    await waitFor(() => intake.answers.length > 0);
    expect(intake.answers).toEqual([['lead-1', true]]);
    expect(intake.requests[0]?.closed.aborted).toBe(false);
  });

  it.each<IngestAnswer['data']>([
    { id: 'l', status: 'UNMATCHED', buyer_id: null, campaign_id: 'c' },
    { id: 'l', status: 'DUPLICATE', buyer_id: null, campaign_id: 'c', duplicate_of: 'first' },
  ])('answers 200 with $status and a buyer_id of null', async (data) => {
    await start(fakeIntake(() => ({ status: 200, data, replayed: false, leadId: 'l' })));
    const reply = await post();
    expect(reply.status).toBe(200);
    expect(IngestResult.parse(reply.json)).toEqual({ data });
    expect(reply.text).toContain('"buyer_id":null');
  });

  it('marks an answer given again, and sets the headers of the intake', async () => {
    const headers = { ratelimit: '"burst";r=199;t=1' };
    await start(fakeIntake(() => ({ ...accepted, replayed: true, headers })));
    const reply = await post();
    expect(reply.headers['idempotent-replayed']).toBe('true');
    expect(reply.headers.ratelimit).toBe(headers.ratelimit);
  });

  it('counts the answer to a lead that filters refused like any other', async () => {
    const filter_errors = [
      {
        filter_id: 'f1',
        field: 'state',
        operator: 'IN',
        value: ['CA'],
        actual: 'TX',
        message: 'm',
      },
    ];
    const intake = await start(
      fakeIntake(() => {
        throw new AppError('filtered', 'Refused by filters.', { filter_errors, lead_id: 'kept' });
      }),
    );
    const reply = await post();
    expect(reply.status).toBe(422);
    expect(ErrorBody.strict().parse(reply.json)).toEqual({
      error: 'filtered',
      message: 'Refused by filters.',
      request_id: reply.headers['x-request-id'],
      filter_errors,
      lead_id: 'kept',
    });
    await waitFor(() => intake.answers.length > 0);
    expect(intake.answers).toEqual([['kept', true]]);
  });

  it('does not notify the intake about a request that was not accepted', async () => {
    const intake = await start(
      fakeIntake(() => {
        throw unavailable('The intake is full.');
      }),
    );
    const reply = await post();
    expect(reply.status).toBe(503);
    await server.close(1_000);
    expect(intake.answers).toEqual([]);
  });

  it('reports a connection that closed before the answer', async () => {
    const decision = defer<IngestAnswer>();
    const intake = await start(fakeIntake(() => decision.promise));
    const socket = await openSocket(server, RAW);
    await waitFor(() => intake.requests.length > 0);
    expect(intake.requests[0]?.closed.aborted).toBe(false);
    socket.destroy();
    await waitFor(() => intake.requests[0]?.closed.aborted === true);
    expect(intake.answers).toEqual([]);
    decision.resolve(accepted);
    await waitFor(() => intake.answers.length > 0);
    expect(intake.answers).toEqual([['lead-1', false]]);
  });

  it('also reports it when filters then refused the lead', async () => {
    const decision = defer<IngestAnswer>();
    const intake = await start(fakeIntake(() => decision.promise));
    const socket = await openSocket(server, RAW);
    await waitFor(() => intake.requests.length > 0);
    socket.destroy();
    await waitFor(() => intake.requests[0]?.closed.aborted === true);
    decision.reject(new AppError('filtered', 'Refused by filters.', { lead_id: 'kept' }));
    await waitFor(() => intake.answers.length > 0);
    expect(intake.answers).toEqual([['kept', false]]);
  });

  it('calls an answer undelivered when the client had ended its side in the same moment', async () => {
    const decision = defer<IngestAnswer>();
    const intake = await start(fakeIntake(() => decision.promise));
    const socket = await openSocket(server, RAW);
    await waitFor(() => intake.requests.length > 0);
    socket.end();
    expect(await readToEnd(socket)).toBe('');
    decision.resolve(accepted);
    await waitFor(() => intake.answers.length > 0);
    expect(intake.answers).toEqual([['lead-1', false]]);
  });

  it('answers requests on one connection in turn, each with its own lead', async () => {
    let count = 0;
    const intake = await start(fakeIntake(() => ({ ...accepted, leadId: `lead-${(count += 1)}` })));
    const last = RAW.replace('host: x', 'host: x\r\nconnection: close');
    const socket = await openSocket(server, RAW + RAW + last);
    const text = await readToEnd(socket);
    expect(text.match(/HTTP\/1\.1 201 Created/g)).toHaveLength(3);
    await waitFor(() => intake.answers.length === 3);
    expect(intake.answers).toEqual([
      ['lead-1', true],
      ['lead-2', true],
      ['lead-3', true],
    ]);
  });
});
