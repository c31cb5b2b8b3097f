/** A supplier posts a lead, and later looks up its status. */
import { AppError } from '../../lib/errors.js';
import { IngestBody, IngestHeaders, IngestResult } from '../../ingest/schemas/ingest.js';
import type { HttpDeps } from '../http/deps.js';
import type { Call, Endpoint, Reply } from '../http/endpoint.js';
import { LookupQuery, LookupResult } from '../../ingest/schemas/lookup.js';

/**
 * `POST /api/v1/ingest` (contract 2.2): submits one lead to the intake, and reports whether the answer was delivered.
 */
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

/** `GET /api/v1/leads/lookup`: the status of one of the supplier's leads. */
export const lookup: Endpoint = {
  id: 'lookUpLead',
  method: 'get',
  path: '/api/v1/leads/lookup',
  summary: 'Look up the status of a lead you sent',
  description:
    'Takes one of `id`, `phone` and `email`, the latter two with `campaign_id`. If several leads match, returns the ' +
    'newest, and `matches` is their number. Limit: 10 a second, and 20 a second for up to 5 seconds.',
  tag: 'ingest',
  auth: 'supplier',
  query: LookupQuery,
  outputs: { 200: LookupResult },
  errors: ['validation_failed', 'unauthorized', 'not_found', 'rate_limited', 'unavailable'],
  async handle(call: Call, { lookup }: Pick<HttpDeps, 'lookup'>): Promise<Reply> {
    const { data, headers } = await lookup({
      key: call.header('x-api-key'),
      query: call.query(),
    });
    return { status: 200, headers: { ...headers, 'cache-control': 'no-store' }, body: { data } };
  },
};
