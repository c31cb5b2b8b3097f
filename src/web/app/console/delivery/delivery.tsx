import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCan } from '../../lib/session.js';
import { Facts, Section, Written, type Fact } from '../../ui/index.js';
import type { BuyerTabProps } from '../parties/words.js';
import { linkPath } from '../parties/words.js';
import { ResponseRules } from './responseRules.js';
import { TryOut } from './tryOut.js';

/** How leads reach the buyer: its settings, what would be sent, and how its answers are read. */
export default function Delivery({ buyer }: BuyerTabProps): ReactNode {
  const mayTry = useCan('test_delivery');
  const isWebhook = buyer.delivery.method === 'WEBHOOK';
  return (
    <>
      <Section title="Settings">
        <Settings buyer={buyer} />
      </Section>
      {mayTry && (
        <Section title="Try it out">
          <TryOut buyer={buyer} />
        </Section>
      )}
      {mayTry && isWebhook && (
        <Section title="Response rules">
          <ResponseRules key={buyer.id} buyer={buyer} />
        </Section>
      )}
    </>
  );
}

/** In the order of reading; others follow by their names. */
const LABELS: Readonly<Record<string, string>> = {
  method: 'Method',
  url: 'URL',
  to: 'To',
  cc: 'Cc',
  subject: 'Subject',
  spreadsheet_id: 'Spreadsheet',
  sheet: 'Sheet',
  columns: 'Columns',
  format: 'Format',
  headers: 'Headers',
  template: 'Body',
  attach_json: 'Attach the lead as JSON',
  timeout_ms: 'Time limit',
  on_unknown: 'When it never answers',
  honours_idempotency_key: 'Deduplicates retries',
  max_age_ms: 'A lead waits at most',
  hold_max_age_ms: 'An unanswered lead is held at most',
  max_concurrent: 'Requests at once while a queue is sent',
  max_per_second: 'Requests a second while a queue is sent',
};

const ON_UNKNOWN: Readonly<Record<string, string>> = {
  hold: 'Hold the lead until it is decided',
  assume_accepted: 'Count it as sold',
  fail_over: 'Offer it to the next buyer',
};

const UNITS: readonly (readonly [one: string, ms: number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

/** In the largest unit that it is a whole number of. */
function durationOf(ms: number): string {
  const [one, size] = UNITS.find(([, each]) => ms >= each && ms % each === 0) ?? ['ms', 1];
  const count = ms / size;
  return `${count.toLocaleString('en-US')} ${count === 1 || one === 'ms' ? one : `${one}s`}`;
}

const METHODS: Readonly<Record<string, string>> = {
  WEBHOOK: 'Webhook',
  EMAIL: 'Email',
  GOOGLE_SHEET: 'Google Sheet',
  STORE: 'Stored, not sent',
};

function Settings({ buyer }: BuyerTabProps): ReactNode {
  const { delivery, delivery_overrides: overrides } = buyer;
  const facts = Object.entries(LABELS).map(([name, label]): Fact => [
    label,
    shown(name, delivery[name]),
  ]);
  return (
    <>
      <Facts facts={facts} />
      {overrides.length > 0 && (
        <>
          <p>Some campaigns override these settings:</p>
          <ul>
            {overrides.map(({ campaign_id, settings }) => (
              <li key={campaign_id}>
                <Link href={linkPath(campaign_id, buyer.id)}>
                  {buyer.campaigns.find((one) => one.campaign_id === campaign_id)?.campaign_name ??
                    campaign_id}
                </Link>
                : {settings.map((name) => LABELS[name] ?? name).join(', ')}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** A setting in words; one without a value is left out. */
function shown(name: string, value: unknown): ReactNode {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number')
    return name.endsWith('_ms') ? durationOf(value) : value.toLocaleString('en-US');
  if (typeof value === 'string') {
    const words = name === 'method' ? METHODS : name === 'on_unknown' ? ON_UNKNOWN : {};
    return <Written>{words[value] ?? value}</Written>;
  }
  if (Array.isArray(value))
    return value.length === 0 ? null : <Written>{value.join(', ')}</Written>;
  const text = JSON.stringify(value, null, 2);
  return text === '{}' ? null : <pre className="setting-json">{text}</pre>;
}
