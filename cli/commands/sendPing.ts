/** `leadwire ping`: asks for bids like a supplier, and posts the lead to them on request. */
import { EXIT, UsageError, type ExitCode } from '../terminal/errors.js';
import { formatBars } from '../output/bars.js';
import { cellText, visible } from '../output/cells.js';
import { rowsOf, type Row } from '../output/rows.js';
import type { Terminal } from '../terminal/terminal.js';
import { describeLead, exitOf, replyJson, sendLead, type PostOptions } from './postLead.js';
import {
  describeRefusal,
  givenFields,
  readFields,
  supplierClient,
  tookOf,
  type SupplierReply,
} from './supplierRequest.js';

export interface PingOptions extends Omit<PostOptions, 'campaignId'> {
  post?: true;
  /** `name=value`, each: fields of the lead, not of the ping. */
  leadField?: string[];
  /** Only this bidder. */
  buyerId?: string;
}

/** Columns when the results are not printed to a terminal. */
const USUAL_COLUMNS = 80;

/**
 * Exit codes: those of `leadwire post`; 1 when the lead was to be posted and no buyer bids.
 * @throws {UsageError} for options of the lead, without `--post`
 */
export async function sendPing(
  terminal: Terminal,
  options: PingOptions,
  campaignId: string,
): Promise<ExitCode> {
  refuseLeftOver(options);
  const { supplierId, test } = options;
  const request = {
    ...(await givenFields(terminal, options)),
    flo_campaign_id: campaignId,
    flo_supplier_id: supplierId,
    ...(test ? { test_lead: true } : {}),
  };
  const more = readFields(options.leadField ?? [], '--lead-field');
  const client = supplierClient(terminal, options);
  const isAnswer = ({ accepted }: Row): boolean => typeof accepted === 'boolean';
  const ping = await client.send('/api/v1/ping', request, isAnswer);
  const { ping_id } = ping.body;
  if (!options.json) terminal.print(describePing(ping, terminal));
  const isPosted = options.post === true && typeof ping_id === 'string';
  const buyer = options.buyerId === undefined ? {} : { flo_buyer_id: options.buyerId };
  const posted = { ...request, ...more, ...buyer, flo_ping_id: ping_id };
  const lead = isPosted ? await sendLead(client, posted, options.idempotencyKey) : null;
  if (options.json) terminal.print(JSON.stringify(jsonOf(ping, lead, options), null, 2));
  else if (lead) terminal.print(describeLead(lead, terminal));
  if (lead) return exitOf(lead, options);
  const refused = exitOf(ping, {});
  const mustBid = options.post === true || options.exitStatus === true;
  return refused === EXIT.done && mustBid && ping.body.accepted !== true ? EXIT.failed : refused;
}

function refuseLeftOver({ post, leadField, buyerId, idempotencyKey }: PingOptions): void {
  if (post) return;
  const flags = {
    '--lead-field': leadField,
    '--buyer-id': buyerId,
    '--idempotency-key': idempotencyKey,
  };
  const [flag] = Object.entries(flags).find(([, value]) => value !== undefined) ?? [];
  if (flag !== undefined)
    throw new UsageError(`${flag} is for the lead: add --post to post it, too.`);
}

const jsonOf = (ping: SupplierReply, lead: SupplierReply | null, { post }: PingOptions) =>
  post ? { ping: replyJson(ping), lead: lead && replyJson(lead) } : replyJson(ping);

/** The bids, side by side; or why no buyer bids. */
function describePing(reply: SupplierReply, terminal: Terminal): string {
  const { body } = reply;
  const { paint } = terminal;
  const took = tookOf(reply, terminal);
  if (typeof body.error === 'string') return describeRefusal(reply, terminal);
  if (body.accepted !== true)
    return `${paint.yellow(visible(String(body.reason)))}  ${visible(String(body.message))}  ${took}`;
  const bids = rowsOf(body.buyers);
  const bars = bids.map(({ buyer_id, bid_price }) => ({
    label: String(buyer_id),
    amount: Number(bid_price),
    text: cellText('bid', bid_price),
  }));
  const count = bids.length === 1 ? '1 bid' : `${bids.length} bids`;
  const until = `until ${cellText('at', body.expires_at)}`;
  return [
    `${paint.green(count)} ${until}  ${took}`,
    ...formatBars(bars, terminal.screen?.columns ?? USUAL_COLUMNS, paint),
    paint.dim(`ping_id ${visible(String(body.ping_id))}`),
  ].join('\n');
}
