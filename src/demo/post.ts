/** Sends leads and pings as a supplier does, and reads the answers. */
import { performance } from 'node:perf_hooks';
import { z } from 'zod';

export interface SupplierCall {
  ingestUrl: string;
  apiKey: string;
  body: Record<string, unknown>;
}

export interface IngestReply {
  http: number;
  /** `data.status` of a 2xx, `error` of anything else. */
  answer: string;
  delivery: string | null;
  leadId: string | null;
  buyerId: string | null;
  /** What an error says. */
  message: string | null;
  /** From the call to the last byte of the answer, in milliseconds. */
  ms: number;
}

const Answer = z.object({
  data: z
    .object({
      id: z.string(),
      status: z.string(),
      buyer_id: z.string().nullable(),
      delivery: z.string().optional(),
    })
    .optional(),
  error: z.string().optional(),
  message: z.string().optional(),
  lead_id: z.string().optional(),
});

const TIMEOUT_MS = 15_000;

/** @throws {Error} when nothing answers, or not with JSON */
export async function postJson(path: '/api/v1/ingest' | '/api/v1/ping', call: SupplierCall) {
  const start = performance.now();
  const response = await fetch(`${call.ingestUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': call.apiKey },
    body: JSON.stringify(call.body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer: unknown = await response.json();
  return { http: response.status, answer, ms: performance.now() - start };
}

/** @throws {Error} when nothing answers, or not with JSON */
export async function postLead(call: SupplierCall): Promise<IngestReply> {
  const { http, ms, ...reply } = await postJson('/api/v1/ingest', call);
  const { data, error, message, lead_id: keptAs } = Answer.parse(reply.answer);
  return {
    http,
    answer: data?.status ?? error ?? '(nothing)',
    delivery: data?.delivery ?? null,
    leadId: data?.id ?? keptAs ?? null,
    buyerId: data?.buyer_id ?? null,
    message: message ?? null,
    ms,
  };
}
