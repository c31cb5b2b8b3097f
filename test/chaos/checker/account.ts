/** The shortest account of a violation: one lead, everything known about it, and the faults around it. */
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { TrailEntry } from '../../../src/leads/rules/trail.js';
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import type {
  Evidence,
  Fault,
  Instant,
  Invoked,
  JournalLine,
  Violation,
} from '../evidence/evidence.js';
import { afterLines } from './afterLines.js';
import { intentOf, personOf, personPosted } from './facts.js';

/** A fault this long before or after anything in the account belongs to it, in milliseconds. */
const AROUND_MS = 5_000;
const LEADS_MAX = 5;

interface Line {
  at: Instant;
  text: string;
}

/**
 * What happened, in order of time: the lead and its trail, rows, the buyers' journal, the suppliers'
 * operations, its outcomes and events after the sale, and the faults within five seconds of any of it. One line each.
 */
export function accountOf(evidence: Evidence, violation: Violation): string[] {
  const leads = leadsOf(evidence, violation);
  const ids = new Set([...leads.map(({ _id }) => _id), violation.lead_id ?? '']);
  const lines = [
    ...leads.flatMap(trailLines),
    ...evidence.record.deliveries.filter((row) => ids.has(row.lead_id)).flatMap(rowLines),
    ...evidence.journal.filter((line) => ids.has(line.lead_id)).map(journalLine),
    ...operationLines(evidence, violation, leads),
    ...afterLines(evidence, ids),
  ].sort((a, b) => a.at - b.at);
  return [
    `${violation.total}, ${violation.rule}: ${violation.what}`,
    ...leads.map((lead) => leadLine(lead, evidence)),
    ...[...lines, ...faultLines(evidence, lines)]
      .sort((a, b) => a.at - b.at)
      .map(({ at, text }) => `${clock(at)}  ${text}`),
  ];
}

/** The lead, the leads it duplicates or replays, and those of the same intent. */
function leadsOf({ record, history }: Evidence, { lead_id, intent }: Violation): Lead[] {
  const posted = history.find(
    (event): event is Invoked => event.kind === 'invoked' && event.intent === intent,
  );
  const named = record.leads.filter(
    (lead) => lead._id === lead_id || (posted && isOf(lead, posted)),
  );
  const others = new Set(named.flatMap(({ duplicate_of, replay_of }) => [duplicate_of, replay_of]));
  const more = record.leads.filter((lead) => others.has(lead._id) && !named.includes(lead));
  return [...named, ...more].slice(0, LEADS_MAX);
}

const isOf = (lead: Lead, posted: Invoked): boolean =>
  intentOf(lead) === null
    ? personOf(lead) === personPosted(posted)
    : intentOf(lead) === posted.intent;

const clock = (at: Instant): string => new Date(at).toISOString().slice(11, 23);

function leadLine(lead: Lead, { campaigns }: Evidence): string {
  const campaign = campaigns.find(({ campaign_id }) => campaign_id === lead.campaign_id)?.name;
  return [
    `lead ${lead._id} in ${campaign ?? lead.campaign_id} of supplier ${lead.supplier_id}: ${lead.status}`,
    `buyer ${lead.buyer_id ?? 'none'}`,
    `price ${lead.price}, cost ${lead.cost}`,
    `taken ${lead.takes} times`,
    ...(lead.run == null ? [] : [`run ${lead.run}`]),
    ...(lead.duplicate_of === undefined ? [] : [`duplicate of ${lead.duplicate_of}`]),
    ...(lead.replay_of === undefined ? [] : [`replay of ${lead.replay_of}`]),
    ...(lead.refusal === undefined ? [] : [lead.refusal]),
    `created ${clock(lead.created_at.getTime())}`,
    ...(lead.pending_at ? [`promised ${clock(lead.pending_at.getTime())}`] : []),
    ...(lead.decided_at ? [`decided ${clock(lead.decided_at.getTime())}`] : []),
  ].join(', ');
}

const trailLines = (lead: Lead): Line[] =>
  lead.trail.map((entry) => ({
    at: entry.at.getTime(),
    text: `trail    ${short(lead._id)} ${entry.step} ${entry.result}${trailDetail(entry)}`,
  }));

const trailDetail = ({ buyer_id, reason, detail }: TrailEntry): string =>
  [
    ...(buyer_id === undefined ? [] : [`buyer ${buyer_id}`]),
    ...(reason === undefined ? [] : [reason]),
    ...(detail === undefined ? [] : [JSON.stringify(detail)]),
  ]
    .map((part) => `, ${part}`)
    .join('');

function rowLines(row: DeliveryDoc): Line[] {
  const name = `row      ${short(row.lead_id)}:${row.n}`;
  const until = `may be sent until ${clock(row.send_by.getTime())}, answered by ${clock(row.answer_by.getTime())}`;
  const opened = {
    at: row.created_at.getTime(),
    text: `${name} opened for buyer ${row.buyer_id} (last sending: ${until}; sent ${row.tries} times)`,
  };
  const said = row.reason === undefined ? '' : `, ${row.reason}`;
  const settled = {
    at: row.settled_at?.getTime() ?? row.answer_by.getTime(),
    text: `${name} is ${row.state} by run ${row.run}${said}${row.settled_at ? '' : ', never settled'}`,
  };
  return [opened, settled];
}

const journalLine = ({ at, request, step, buyer_id, lead_id, ...line }: JournalLine): Line => ({
  at,
  text: `journal  ${short(lead_id)} buyer ${buyer_id} request ${request} ${step} ${line.decision}, key ${line.idempotency_key}`,
});

/** This operation, and every other one that named or made one of the leads. */
function operationLines(
  { history }: Evidence,
  violation: Violation,
  leads: readonly Lead[],
): Line[] {
  const ids = new Set(leads.map(({ _id }) => _id));
  const named = new Set(
    history.flatMap((event) =>
      event.kind === 'completed' && event.lead_id !== null && ids.has(event.lead_id)
        ? [event.op]
        : [],
    ),
  );
  const own = history.filter(
    (event): event is Invoked =>
      event.kind === 'invoked' &&
      (event.intent === violation.intent ||
        named.has(event.op) ||
        leads.some((lead) => isOf(lead, event))),
  );
  const asked = new Set(own.map(({ op }) => op));
  return [
    ...own.map(({ at, op, intent, time, idempotency_key, altered }) => ({
      at,
      text: `supplier operation ${op} asks (intent ${intent}, sending ${time}, key ${idempotency_key ?? 'none'}${altered ? ', another body' : ''})`,
    })),
    ...history.flatMap((event): Line[] => {
      if (event.kind !== 'completed' || !asked.has(event.op)) return [];
      const { at, op, outcome, answer, status, lead_id, replayed, error } = event;
      const words = [outcome, answer, status, lead_id, replayed ? 'replayed' : null, error];
      const said = words.filter((word) => word !== null && word !== undefined).join(' ');
      return [{ at, text: `supplier operation ${op} is told ${said}` }];
    }),
  ];
}

/** Those that overlap any stretch of the account, with five seconds on each side. */
function faultLines({ history }: Evidence, lines: readonly Line[]): Line[] {
  const near = ({ at, ended }: Fault): boolean =>
    lines.some((line) => line.at >= at - AROUND_MS && line.at <= (ended ?? at) + AROUND_MS);
  return history.flatMap((event): Line[] => {
    if (event.kind !== 'fault' || !near(event)) return [];
    const { at, ended, type, targets, detail } = event;
    const until = ended === undefined ? '' : ` until ${clock(ended)}`;
    return [
      { at, text: `fault    ${type} ${targets.join(', ')}${until}${detail ? ` (${detail})` : ''}` },
    ];
  });
}

const short = (leadId: string): string => leadId.slice(0, 8);
