/**
 * `POST /api/v1/ingest` (contract 2.2): submits one lead to the intake, and reports whether the answer was delivered.
 */
import { AppError } from '../../lib/errors.js';
import { IngestBody, IngestHeaders, IngestResult } from '../../ingest/schemas/ingest.js';
import type { HttpDeps } from '../http/deps.js';
import type { Call, Endpoint, Reply } from '../http/endpoint.js';

export const ingest: Endpoint = {
  id: 'ingestLead',
  method: 'post',
  path: '/api/v1/ingest',
  summary: 'Send one lead: it is validated, filtered and distributed to a buyer',
  description:
    'The answer has the result: 201 ACCEPTED, 200 UNMATCHED or DUPLICATE. With an Idempotency-Key the same request ' +
    'may be sent again, and gets the first answer. 503 means that the lead was not accepted. After a 504 the result ' +
    'is unknown; the same request sent again gets the answer.',
  tag: 'ingest',
  auth: 'supplier',
  input: IngestBody,
  headers: IngestHeaders,
  answerHeaders: ['IdempotentReplayed'],
  outputs: { 200: IngestResult, 201: IngestResult },
  errors: [
    'validation_failed',
    'invalid_idempotency_key',
    'unauthorized',
    'forbidden',
    'source_paused',
    'campaign_paused',
    'supplier_capped',
    'campaign_not_found',
    'filtered',
    'idempotency_key_reused',
    'rate_limited',
    'unavailable',
    'outcome_unknown',
  ],
  async handle(call: Call, { intake }: Pick<HttpDeps, 'intake'>): Promise<Reply> {
    const connection = new AbortController();
    let leadId: string | undefined;
    call.onClose((answered) => {
      if (leadId === undefined) connection.abort();
      else intake.answered(leadId, answered);
    });
    const decided = (id: string): void => {
      leadId = id;
      if (connection.signal.aborted) intake.answered(id, false);
    };
    try {
      const answer = await intake.submit({
        key: call.header('x-api-key'),
        body: call.body,
        idempotencyKey: call.header('idempotency-key'),
        receivedAt: call.receivedAt,
        closed: connection.signal,
      });
      decided(answer.leadId);
      const headers = { ...answer.headers };
      if (answer.replayed) headers['idempotent-replayed'] = 'true';
      return {
        status: answer.status,
        headers,
        body: { data: answer.data },
      };
    } catch (error) {
      // A lead refused by filters is stored, and its answer counts as any other.
      if (error instanceof AppError && error.extras.lead_id) decided(error.extras.lead_id);
      throw error;
    }
  },
};
