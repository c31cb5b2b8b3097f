/** Personal data is only in leads, pings and deliveries to buyers; secrets are only where they are shown once. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { everythingIn } from '../support/everything.js';
import { send } from '../support/http.js';
import { decoded, phonePattern } from '../support/histories.js';
import { HEADERS, MARKERS, sendCanaries, type Canaries } from './canaryScene.js';

let canaries: Canaries;
beforeAll(async () => {
  canaries = await sendCanaries();
}, 90_000);
afterAll(() => canaries.stop());

/** The personal data in a text. */
const personIn = (text: string): string[] => [
  ...MARKERS.filter((marker) => text.toLowerCase().includes(marker.toLowerCase())),
  ...canaries.phones.filter((phone) => phonePattern(phone).test(text)),
];
const secretsIn = (text: string): string[] =>
  canaries.secrets.filter((secret) => text.includes(secret));
const nothingIn = (text: string): void => {
  expect(personIn(text)).toEqual([]);
  expect(secretsIn(text)).toEqual([]);
};

describe('the person', () => {
  it('was sent along every path', async () => {
    const stored = await canaries.bed.collections.leads.find().toArray();
    const ways = new Set(stored.map(({ status, refusal }) => refusal ?? status));
    expect([...ways].toSorted()).toEqual([
      'ACCEPTED',
      'DUPLICATE',
      'PENDING',
      'REJECTED',
      'UNMATCHED',
    ]);
    expect(stored.filter(({ filter_errors }) => filter_errors)).toHaveLength(2);
    const said = canaries.answers.join('');
    for (const code of ['malformed_body', 'unauthorized', 'validation_failed', 'invalid_input'])
      expect(said).toContain(`"error":"${code}"`);
    expect(said).toMatch(/"outcome":"converted","conversion_revenue"/);
  });
});

describe('neither a person nor a secret', () => {
  it('is in a line of the log, of whatever level', () => {
    const levels = new Set(
      canaries.logged.map((line) => (JSON.parse(line) as { level: number }).level),
    );
    expect(levels.size).toBeGreaterThan(1);
    nothingIn(canaries.logged.join(''));
  });

  it('is in the records of changes and of reads', async () => {
    const { audit, auditReads } = canaries.bed.collections;
    const [changes, reads] = await Promise.all([
      audit.find().toArray(),
      auditReads.find().toArray(),
    ]);
    expect(changes.length).toBeGreaterThan(20);
    expect(reads.length).toBeGreaterThan(10);
    nothingIn(JSON.stringify([changes, reads]));
  });

  it('appears in the metrics', async () => {
    const { text } = await send(`${canaries.service.url}/metrics`);
    expect(text).toContain('leadwire_http_requests_total');
    nothingIn(text);
  });

  it('is in a stored plan', async () => {
    const plans = await canaries.bed.collections.plans.find().toArray();
    expect(plans.length).toBeGreaterThan(5);
    nothingIn(JSON.stringify(plans));
  });

  it('is in what Temporal keeps', async () => {
    const { client } = canaries.service.deps;
    const histories: string[] = [];
    for (const queue of ['leads', 'delivery', 'reconcile'])
      for await (const { workflowId, runId } of client.workflow.list({
        query: `TaskQueue = "${canaries.bed.stack.taskQueuePrefix}${queue}"`,
      })) {
        const handle = client.workflow.getHandle(workflowId, runId);
        histories.push(decoded(await handle.fetchHistory()), decoded(await handle.describe()));
      }
    const text = histories.join('\n');
    for (const lead of canaries.leads.slice(0, 4)) expect(text).toContain(lead);
    nothingIn(text);
  });
});

describe('a secret', () => {
  it('is in no answer but the one that shows it once', () => {
    expect(canaries.answers.length).toBeGreaterThan(40);
    expect(canaries.answers.flatMap(secretsIn)).toEqual([]);
  });

  it('is in no collection in plain text', async () => {
    const text = await everythingIn(canaries.bed.store.db);
    expect(personIn(text)).toContain('Zebulonia');
    expect(secretsIn(text)).toEqual([]);
  });

  it('of a buyer reaches that buyer', () => {
    expect(Object.values(HEADERS)).toHaveLength(3);
    const sent = canaries.received.map(({ headers }) => headers['x-own']);
    expect(new Set(sent)).toEqual(new Set([...Object.values(HEADERS)]));
  });
});
