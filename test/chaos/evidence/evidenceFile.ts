/**
 * Evidence on disk, with dates, so that a run can be judged again. Line by line: the whole of a long run
 * may exceed the maximum size of one string.
 */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { BSON } from 'mongodb';
import { nothingAfter, type AfterTheSale } from '../afterSale/evidence.js';
import type { Evidence } from './evidence.js';

type Head = Pick<Evidence, 'seed' | 'campaigns' | 'aim' | 'ends'> & {
  record: Pick<Evidence['record'], 'readAt' | 'reconciled'>;
};

/** Lines that are written at once. */
const BATCH_SIZE = 500;

export async function saveEvidence(file: string, evidence: Evidence): Promise<void> {
  const { seed, campaigns, record, aim, ends } = evidence;
  const ofRun = { ...(aim ? { aim } : {}), ...(ends ? { ends } : {}) };
  const { readAt, reconciled } = record;
  const head: Head = { seed, campaigns, ...ofRun, record: { readAt, reconciled } };
  const lines = [['head', head] as const, ...contentsOf(evidence)];
  const handle = await open(file, 'w');
  try {
    for (let from = 0; from < lines.length; from += BATCH_SIZE) {
      const batch = lines.slice(from, from + BATCH_SIZE);
      await handle.writeFile(batch.map((line) => `${BSON.EJSON.stringify(line)}\n`).join(''));
    }
  } finally {
    await handle.close();
  }
}

export async function loadEvidence(file: string): Promise<Evidence> {
  const parts: Record<string, unknown[]> = {};
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const [part, content] = BSON.EJSON.parse(line) as [string, unknown];
    (parts[part] ??= []).push(content);
  }
  const [head] = (parts.head ?? []) as Head[];
  if (!head) throw new Error(`${file} holds no evidence of a run`);
  const of = <T>(part: string): T[] => (parts[part] ?? []) as T[];
  return {
    ...head,
    history: of('history'),
    journal: of('journal'),
    record: { ...head.record, leads: of('lead'), deliveries: of('delivery'), caps: of('cap') },
    after: Object.fromEntries(AFTER.map((part) => [part, of(part)])) as never,
  };
}

/** Each list in lines of its own. */
const AFTER = Object.keys(nothingAfter()) as (keyof AfterTheSale)[];

const contentsOf = ({
  history,
  journal,
  record,
  after,
}: Evidence): (readonly [string, unknown])[] => [
  ...history.map((event) => ['history', event] as const),
  ...journal.map((line) => ['journal', line] as const),
  ...record.leads.map((lead) => ['lead', lead] as const),
  ...record.deliveries.map((row) => ['delivery', row] as const),
  ...record.caps.map((cap) => ['cap', cap] as const),
  ...AFTER.flatMap((part) => after[part].map((one) => [part, one] as const)),
];
