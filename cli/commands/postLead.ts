/** `leadwire post`: sends a lead like a supplier, with the supplier's key. */
import { EXIT, type ExitCode } from '../terminal/errors.js';
import { paintCell, visible } from '../output/cells.js';
import { isRow, type Row } from '../output/rows.js';
import type { Terminal } from '../terminal/terminal.js';
import {
  describeRefusal,
  givenFields,
  supplierClient,
  tookOf,
  type SupplierClient,
  type SupplierOptions,
  type SupplierReply,
} from './supplierRequest.js';

export interface PostOptions extends SupplierOptions {
  campaignId: string;
  test?: true;
  idempotencyKey?: string;
  exitStatus?: true;
  json?: true;
}

/**
 * Exit codes: 0 when the lead was accepted, 1 when it was refused, 4 when the key is not known, 8 when the result is
 * unknown.
 */
export async function postLead(terminal: Terminal, options: PostOptions): Promise<ExitCode> {
  const { campaignId, supplierId, test, idempotencyKey } = options;
  const lead = {
    ...(await givenFields(terminal, options)),
    flo_campaign_id: campaignId,
    flo_supplier_id: supplierId,
    ...(test ? { test_lead: true } : {}),
  };
  const reply = await sendLead(supplierClient(terminal, options), lead, idempotencyKey);
  terminal.print(
    options.json ? JSON.stringify(replyJson(reply), null, 2) : describeLead(reply, terminal),
  );
  return exitOf(reply, options);
}

/** @throws {CommandFailed} when no server answers, or another one than Leadwire */
export const sendLead = (
  client: SupplierClient,
  lead: Row,
  idempotencyKey?: string,
): Promise<SupplierReply> =>
  client.send(
    '/api/v1/ingest',
    lead,
    ({ data }) => isRow(data),
    idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
  );

/** A reply for programs. */
export const replyJson = ({ status, tookMs, body }: SupplierReply) => ({
  http_status: status,
  took_ms: tookMs,
  answer: body,
});

/** The status of a lead on one line, and each fault on its own. */
export function describeLead(reply: SupplierReply, terminal: Terminal): string {
  const { data } = reply.body;
  if (!isRow(data)) return describeRefusal(reply, terminal);
  const { id, status: word, delivery, duplicate_of } = data;
  const notes = [
    ...(typeof delivery === 'string' ? [delivery] : []),
    ...(typeof duplicate_of === 'string' ? [`of ${duplicate_of}`] : []),
  ];
  const tail = notes.length === 0 ? '' : ` ${visible(notes.join(' '))}`;
  const took = tookOf(reply, terminal);
  return `${paintCell('status', visible(String(word)), terminal.paint)}${tail}  lead ${String(id)}  ${took}`;
}

export function exitOf(
  { status, body }: SupplierReply,
  { exitStatus }: Pick<PostOptions, 'exitStatus'>,
): ExitCode {
  if (status === 401) return EXIT.needsLogin;
  if (status === 504) return EXIT.pending;
  if (status >= 300) return EXIT.failed;
  const isAccepted = isRow(body.data) && body.data.status === 'ACCEPTED';
  return exitStatus && !isAccepted ? EXIT.failed : EXIT.done;
}
