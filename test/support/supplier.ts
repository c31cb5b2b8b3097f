/** Posts leads as a supplier does. */
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { TestAccount } from './account.js';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  data?: {
    id: string;
    status: string;
    buyer_id: string | null;
    campaign_id: string;
    delivery?: string;
    duplicate_of?: string;
  };
  error?: string;
  body: Record<string, unknown>;
  /** Milliseconds from sending to the end of the answer. */
  ms: number;
}

export interface Supplier {
  /** Posts a valid lead with these fields changed; `undefined` leaves a field out. */
  post(fields?: Record<string, unknown>, options?: PostOptions): Promise<Answer>;
  /** The same, sent again while the answer is that the lead was not accepted (503) or the result is unknown (504). */
  postUntilTaken(fields?: Record<string, unknown>): Promise<Answer>;
  close(): Promise<void>;
}

interface PostOptions {
  headers?: Record<string, string>;
  /** Index of the account's supplier that sends it. */
  supplier?: number;
}

let people = 0;

/** Fields of a new person in every call. */
export function aPerson(): Record<string, string> {
  const n = ++people;
  const digits = String(2_000_000 + ((process.pid * 7_919 + n) % 7_999_999));
  return {
    first_name: 'Jane',
    last_name: `Doe ${n}`,
    phone: `555${digits}`,
    email: `jane.${process.pid}.${n}@example.com`,
    state: 'CA',
  };
}

export function supplierOf(url: string, account: TestAccount, connections = 256): Supplier {
  // A pool for one address takes a third less CPU than an agent; the service gets it when both share a machine.
  const pool = new Pool(url, { connections, keepAliveTimeout: 60_000, headersTimeout: 60_000 });
  const supplier: Supplier = {
    async post(fields = {}, { headers = {}, supplier = 0 } = {}) {
      const sender = account.suppliers[supplier];
      const body = {
        flo_campaign_id: account.campaignId,
        flo_supplier_id: sender?.id,
        ...aPerson(),
        ...fields,
      };
      const started = performance.now();
      const reply = await pool.request({
        path: '/api/v1/ingest',
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': sender?.key ?? '', ...headers },
        body: JSON.stringify(body),
      });
      const answered = (await reply.body.json()) as Partial<Answer> & Record<string, unknown>;
      return {
        status: reply.statusCode,
        headers: reply.headers,
        ...(answered.data ? { data: answered.data } : {}),
        ...(answered.error ? { error: answered.error } : {}),
        body: answered,
        ms: performance.now() - started,
      };
    },
    async postUntilTaken(fields = {}) {
      const person = { ...aPerson(), ...fields };
      let answer = await supplier.post(person);
      while (answer.status === 503 || answer.status === 504) {
        // After a 504 the service recognizes the request only when its time is over.
        await delay(answer.status === 503 ? 250 : Number(answer.body.retry_after) * 1_000);
        answer = await supplier.post(person);
      }
      return answer;
    },
    close: () => pool.destroy(),
  };
  return supplier;
}

/** How many times each value of a list occurs. */
export function tally(values: readonly (string | number | undefined)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[String(value)] = (counts[String(value)] ?? 0) + 1;
  return counts;
}

/** The fields that an error answer names, each with its code. */
export function fieldCodes({ body }: Answer): Record<string, string> {
  const errors = (body.field_errors ?? []) as { field: string; code: string }[];
  return Object.fromEntries(errors.map(({ field, code }) => [field, code]));
}
