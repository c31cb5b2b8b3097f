/** `leadwire events list`: past events, newest first. */
import { listEvents, type EventQuery } from '../../src/api/operator/events.js';
import { isAlertEvent } from '../../src/events/rules/events.js';
import type { AlertEvent } from '../../src/events/store/eventDocs.js';
import { EXIT, type ExitCode } from '../terminal/errors.js';
import { withRecord } from '../stack/installation.js';
import { formatTable, right } from '../output/table.js';
import { fit } from '../output/width.js';
import { jsonFields, jsonList } from '../output/formats.js';
import type { Terminal } from '../terminal/terminal.js';

export interface EventOptions extends EventQuery {
  json?: string | true;
}

const FIELDS = ['id', 'type', 'org_id', 'created_at', 'data'];

export async function listEventsCommand(
  terminal: Terminal,
  { json, ...query }: EventOptions,
): Promise<ExitCode> {
  const fields = jsonFields(json, FIELDS, 'leadwire operator events list');
  const events = await withRecord(terminal.environment, ({ collections }) =>
    listEvents(collections, query),
  );
  if (json !== undefined) {
    const shown = events.map(({ _id: id, ...event }) => ({ id, ...event }));
    terminal.print(jsonList({ events: shown }, shown, fields));
    return EXIT.done;
  }
  const count = `${events.length} ${events.length === 1 ? 'event' : 'events'}`;
  terminal.say(events.length === 0 ? 'No events.' : `${count}, newest first.`);
  if (events.length > 0) terminal.print(asTable(events, terminal));
  return EXIT.done;
}

type Event = Awaited<ReturnType<typeof listEvents>>[number];

function asTable(events: readonly Event[], terminal: Terminal): string {
  const columns = ['At', 'Type', 'Of', right('Count'), 'Until', 'Reason'];
  const rows = events.map((event) => [
    event.created_at.toISOString(),
    event.type,
    ...describe(event),
  ]);
  return formatTable(columns, rows, terminal.paint);
}

/** An alert in a line: what it is about, how much, until when, and why. */
function describeAlert({ data }: AlertEvent): string[] {
  if ('window' in data) {
    const { buyer_name, supplier_name, campaign_name, window, used, limit, resets_at } = data;
    const owner = buyer_name ?? supplier_name ?? campaign_name;
    return [owner, `${used}/${limit}`, resets_at ?? '-', `${window} cap of ${campaign_name}`];
  }
  if ('supplier_id' in data)
    return [data.supplier_name, '-', '-', fit(`last lead ${data.last_lead_at}`, 30)];
  if ('buyer_id' in data) return [data.buyer_name, '-', '-', `${data.reason} ${data.since}`];
  const { campaign_name, sold, decided, rate, usual_rate } = data;
  const percent = (share: number): string => `${Math.round(share * 100)} %`;
  const reason = `${percent(rate)}, usually ${percent(usual_rate)}`;
  return [campaign_name, `${sold}/${decided}`, '-', reason];
}

const isAlert = (event: Event): event is AlertEvent => isAlertEvent(event.type);

/** For a buyer: its failures in a row. For a campaign: how many pings of a supplier. For a lead: its state. */
function describe(event: Event): string[] {
  if (isAlert(event)) return describeAlert(event);
  if (event.type === 'ping.expired') {
    const { campaign_id, supplier_id, count } = event.data;
    return [campaign_id, String(count), '-', `supplier ${supplier_id}`];
  }
  if (event.type === 'automation.disabled')
    return [event.data.automation_id, '-', '-', fit(event.data.reason, 30)];
  if ('lead_id' in event.data) return [event.data.lead_id, '-', '-', event.data.status];
  const { buyer_id, failures, until, reason } = event.data;
  return [buyer_id, String(failures), until?.toISOString() ?? '-', fit(reason, 30)];
}
