/** A request as it arrived at a buyer, and whether it follows the contract (contract 6.2). */
import type { IncomingMessage } from 'node:http';
import { signBody, signMessage } from '../../../src/platform/security/signatures.js';

/** A buyer's own id and secret, known once the account exists. */
export interface Identity {
  buyer_id: string;
  /** Without one, a signature is only checked for its form. */
  signing_secret?: string;
}

export interface Arrival {
  buyer_id: string;
  lead_id: string;
  idempotency_key: string;
  email: string;
  /** The first defect of the request. */
  flaw?: string;
}

/** Rejects when the connection breaks before the whole request has arrived. */
export async function readArrival(
  request: IncomingMessage,
  name: string,
  identity: Identity | undefined,
): Promise<Arrival> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const body = readObject(text);
  const arrival = {
    buyer_id: identity?.buyer_id ?? textOf(body?.buyer_id),
    lead_id: textOf(body?.lead_id),
    idempotency_key: header(request, 'idempotency-key'),
    email: textOf(body?.email),
  };
  const flaw = flawOf({ request, name, identity, text, body, arrival });
  return flaw === null ? arrival : { ...arrival, flaw };
}

interface Look {
  request: IncomingMessage;
  name: string;
  identity: Identity | undefined;
  text: string;
  body: Record<string, unknown> | null;
  arrival: Arrival;
}

const SIGNATURE = /^[0-9a-f]{64}$/;
const SECONDS = /^[1-9][0-9]{9}$/;

function flawOf({ request, name, identity, text, body, arrival }: Look): string | null {
  if (request.method !== 'POST') return `the method is ${request.method ?? 'none'}, not POST`;
  if (request.url !== `/${name}`) return `the path is ${request.url ?? 'none'}, not /${name}`;
  if (!body) return 'the body is no JSON object';
  if (arrival.lead_id === '') return 'the body has no lead_id';
  if (arrival.idempotency_key === '') return 'there is no Idempotency-Key';
  const named = header(request, 'x-lead-id');
  if (named !== arrival.lead_id) return `X-Lead-Id is ${named}, lead_id is ${arrival.lead_id}`;
  if (body.buyer_id !== arrival.buyer_id) {
    return `buyer_id is ${textOf(body.buyer_id)}, but this is ${arrival.buyer_id}`;
  }
  if (arrival.email === '') return 'the body has no email';
  const signature = header(request, 'x-leaddistro-signature');
  if (!SIGNATURE.test(signature)) return `X-LeadDistro-Signature is "${signature}"`;
  const secret = identity?.signing_secret;
  if (secret !== undefined && signature !== signBody(secret, text)) return 'the signature is false';
  return messageFlaw(request, text, secret);
}

/** The headers that Standard Webhooks defines. */
function messageFlaw(
  request: IncomingMessage,
  body: string,
  secret: string | undefined,
): string | null {
  const id = header(request, 'webhook-id');
  if (id !== header(request, 'idempotency-key')) return `webhook-id is "${id}"`;
  const timestamp = header(request, 'webhook-timestamp');
  if (!SECONDS.test(timestamp)) return `webhook-timestamp is "${timestamp}"`;
  if (secret === undefined) return null;
  const right = signMessage([secret], { id, timestamp: Number(timestamp), body });
  return header(request, 'webhook-signature') === right ? null : 'webhook-signature is false';
}

function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}
