/**
 * Visitors of one funnel: the latency of its page at 200 visitors per second, each of whom loads all files of the page,
 * and the latency of submits at the same time. Submits come at a rate that intake can sustain: a thank-you page waits
 * for the lead's decision.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Pool, type Dispatcher } from 'undici';
import { openFunnelMaker } from '../../support/funnels.js';
import { fillIn } from '../../support/html/htmlVisitor.js';
import { formsOf } from '../../support/html/htmlForm.js';
import { descendants, parseHtml } from '../../support/html/parseHtml.js';
import { startBench, type Bench } from '../bench.js';
import { measuredCampaign } from '../load/campaign.js';
import { orError } from '../load/intakeLoad.js';
import { latencyOf } from '../load/latency.js';
import { openLoop, sendAll, type Sample } from '../load/load.js';
import { arrive, isError, senderOf } from '../load/stage.js';
import type { Measure, Say } from '../part.js';
import { cpuMs } from '../meters/cpu.js';
import { figuresOf } from '../report/figures.js';

const VISITORS_PER_SECOND = 200;
const SUBMITS_PER_SECOND = 20;
/** A window is this many times as long as in other parts: a p99 of few visitors is unreliable. */
export const FUNNEL_WINDOWS = 5;
const WARM_UP_SECONDS = 2;
/** The service treats a visitor that submits within three seconds of loading the page as a bot. */
const READING_MS = 3_200;
const CONNECTIONS = 256;
/** Pages opened at once before their submits are measured. */
const OPENED_AT_ONCE = 16;
/** Pages opened before the cost of a page is measured, and during the measurement. */
const WARMING_PAGES = 500;
const COUNTED_PAGES = 1_000;

export const funnels: Measure = async (bench, { seconds, rounds }, say) => {
  const settings = { TRUST_PROXY: 'true' };
  const own = await startBench(bench.stack, {
    name: 'bench_funnels',
    settings,
    roles: bench.roles,
  });
  const { account, supplier } = await own.account(measuredCampaign);
  await supplier.close();
  const maker = await openFunnelMaker(own.apiUrl, own.collections, account);
  const { id, slug } = await maker.publish({ name: 'Measured', slug: 'measured' });
  const { definition } = await maker.act<{ definition: Record<string, unknown> }>('get_funnel', {
    funnel_id: id,
  });
  const unbound = { ...definition, protection: { submissions_per_minute: 6_000 } };
  await maker.act('update_funnel', { funnel_id: id, definition: unbound });
  await maker.act('publish_funnel', { funnel_id: id });
  const visitors = await openVisitors(own.apiUrl, `/f/${slug}`);
  try {
    const length = seconds * FUNNEL_WINDOWS;
    const cpu = await cpuOf(own, visitors, say);
    const alone: Row[] = [];
    const beside: Row[] = [];
    for (let round = 0; round < rounds; round++) {
      say(`  round ${round + 1} of ${rounds}: visitors alone`);
      alone.push(await view(visitors, length, say));
      await own.quiet();
      say('  visitors, and some of them submit:');
      beside.push(await viewAndSubmit(visitors, length, say));
      await own.quiet();
    }
    const rows = [...alone, ...beside];
    const errors = rows.reduce((sum, row) => sum + row.errors, 0);
    await compare(own, visitors, bench.failures);
    const told = `${VISITORS_PER_SECOND} visitors a second, each loads the page and its ${visitors.files} files`;
    const submitted = beside.map(({ submits }) => latencyOf(submits).p99);
    return [
      ...figuresOf(
        'funnel_page_p50_ms',
        alone.map(({ page }) => page.p50),
        told,
      ),
      ...figuresOf(
        'funnel_page_p99_ms',
        alone.map(({ page }) => page.p99),
        told,
      ),
      ...figuresOf(
        'funnel_file_p99_ms',
        alone.map(({ files }) => latencyOf(files).p99),
        told,
      ),
      ...figuresOf(
        'funnel_beside_p99_ms',
        beside.map(({ page }) => page.p99),
        `pages beside ${SUBMITS_PER_SECOND} submits a second`,
      ),
      ...figuresOf('funnel_submit_p99_ms', submitted, `${SUBMITS_PER_SECOND} a second`),
      ...figuresOf(
        'funnel_cpu_ms_per_page',
        [cpu],
        'of the processes that serve requests, without the files of the page',
      ),
      ...figuresOf('funnel_errors', [errors], 'of all windows together'),
    ];
  } finally {
    await visitors.close();
    await own.stop();
  }
};

interface Row {
  page: { p50: number; p99: number };
  files: Sample[];
  submits: Sample[];
  errors: number;
}

/** The cost of one page for the API, in milliseconds of CPU. */
async function cpuOf({ processes }: Bench, visitors: Visitors, say: Say): Promise<number> {
  const serving = processes.filter(({ name }) => name === 'api' || name === 'intake');
  const used = () => serving.reduce((sum, { pid }) => sum + cpuMs(pid), 0);
  const open = () => orError(() => visitors.open(0));
  await sendAll(WARMING_PAGES, OPENED_AT_ONCE, open);
  const before = used();
  await sendAll(COUNTED_PAGES, OPENED_AT_ONCE, open);
  const cpu = (used() - before) / COUNTED_PAGES;
  say(`  a page costs the API ${cpu.toFixed(2)} ms of CPU`);
  return cpu;
}

/** Each visitor opens the page, and then all of its files at once. */
async function view(visitors: Visitors, seconds: number, say: Say): Promise<Row> {
  const files: Sample[] = [];
  const loading: Promise<unknown>[] = [];
  const page = await arrive(
    {
      ...senderOf(async (n) => {
        const kind = await orError(() => visitors.open(n));
        loading.push(visitors.loadFiles(n, files));
        return kind;
      }),
      say,
      warmUp: WARM_UP_SECONDS,
    },
    VISITORS_PER_SECOND,
    seconds,
  );
  await Promise.all(loading);
  const { p50, p99, max } = latencyOf(files);
  const failed = files.filter(isError).length;
  say(`    ${files.length} files, p50 ${p50} ms, p99 ${p99} ms, max ${max} ms, errors ${failed}`);
  return { page, files, submits: [], errors: page.errors + failed };
}

async function viewAndSubmit(visitors: Visitors, seconds: number, say: Say): Promise<Row> {
  const forms = await visitors.openForms(SUBMITS_PER_SECOND * (seconds + WARM_UP_SECONDS));
  await delay(READING_MS);
  const [row, { samples }] = await Promise.all([
    view(visitors, seconds, say),
    openLoop(SUBMITS_PER_SECOND, seconds, WARM_UP_SECONDS, (n) =>
      orError(() => visitors.submit(forms[n])),
    ),
  ]);
  const { p50, p99, max } = latencyOf(samples);
  const failed = samples.filter(isError);
  const kinds = [...Map.groupBy(failed, ({ kind }) => kind)].map(
    ([kind, { length }]) => `, ${length} times ${kind}`,
  );
  say(
    `    ${samples.length} submits, p50 ${p50} ms, p99 ${p99} ms, max ${max} ms, errors ${failed.length}${kinds.join('')}`,
  );
  return { ...row, submits: samples, errors: row.errors + failed.length };
}

/** Each thanked visitor has one lead, and none has two: those without an answer have one or none. */
async function compare(
  { collections }: Bench,
  visitors: Visitors,
  failures: string[],
): Promise<void> {
  const thanked = visitors.thanked();
  const leads = await collections.leads.countDocuments({
    origin: { $exists: true },
    status: { $ne: 'WITHDRAWN' },
  });
  if (leads < thanked || leads > visitors.sent())
    failures.push(`Funnels: ${thanked} visitors were thanked, and there are ${leads} leads.`);
}

interface FilledForm {
  n: number;
  body: string;
}

interface Visitors {
  /** Number of files of the page. */
  files: number;
  /** Opens the page as the n-th visitor. Its class: `opened`, or the status of a refusal. */
  open(n: number): Promise<string>;
  loadFiles(n: number, into: Sample[]): Promise<void>;
  openForms(count: number): Promise<FilledForm[]>;
  /** Its class: `thanked`, or the status of a refusal. */
  submit(form: FilledForm | undefined): Promise<string>;
  sent(): number;
  thanked(): number;
  close(): Promise<void>;
}

async function openVisitors(apiUrl: string, path: string): Promise<Visitors> {
  const pool = new Pool(apiUrl, { connections: CONNECTIONS, keepAliveTimeout: 60_000 });
  let people = 0;
  let sent = 0;
  let thanked = 0;
  const request = (
    n: number,
    target: string,
    options: Partial<Pick<Dispatcher.RequestOptions, 'method' | 'body'>> = {},
  ) =>
    pool.request({
      method: 'GET',
      path: target,
      headers: {
        'x-forwarded-for': addressOf(n),
        'accept-encoding': 'gzip',
        ...(options.body === undefined
          ? {}
          : { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...options,
    });
  const load = async (n: number, target: string): Promise<string> => {
    const { statusCode, body } = await request(n, target);
    await body.dump({ limit: 10_000_000 });
    return statusCode === 200 ? 'opened' : `${statusCode} ${target}`;
  };
  const first = await fetch(`${apiUrl}${path}`);
  const files = filesOf(await first.text());
  return {
    files: files.length,
    open: (n) => load(n, path),
    async loadFiles(n, into) {
      const from = performance.now();
      await Promise.all(
        files.map(async (file) => {
          const kind = await orError(() => load(n, file));
          into.push({ ms: performance.now() - from, kind });
        }),
      );
    },
    async openForms(count) {
      const forms: FilledForm[] = [];
      const one = async (): Promise<void> => {
        while (people < last) {
          const n = ++people;
          const { body } = await pool.request({
            method: 'GET',
            path,
            headers: { 'x-forwarded-for': addressOf(n) },
          });
          forms.push({ n, body: filled(await body.text(), n) });
        }
      };
      const last = people + count;
      await Promise.all(Array.from({ length: OPENED_AT_ONCE }, one));
      return forms;
    },
    async submit(form) {
      if (!form) return 'Error: no form is left';
      sent += 1;
      const { statusCode, body } = await request(form.n, path, { method: 'POST', body: form.body });
      const reply = (await body.json()) as { outcome?: string };
      if (statusCode !== 200 || reply.outcome !== 'thanks')
        return `${statusCode} ${reply.outcome ?? ''}`;
      thanked += 1;
      return 'thanked';
    },
    sent: () => sent,
    thanked: () => thanked,
    close: () => pool.destroy(),
  };
}

/** Everything that a browser loads with the page from its own host. */
const filesOf = (html: string): string[] =>
  descendants(parseHtml(html))
    .map(({ name, attributes }) => {
      if (name === 'script' || name === 'img') return attributes.get('src');
      const rel = attributes.get('rel') ?? '';
      return name === 'link' && /stylesheet|icon/.test(rel) ? attributes.get('href') : undefined;
    })
    .filter((path): path is string => path?.startsWith('/') === true);

function filled(html: string, n: number): string {
  const [form] = formsOf(parseHtml(html));
  if (!form) throw new Error('The page has no form');
  const digits = String(2_000_000 + n);
  const person = {
    firstName: 'Ada',
    lastName: `Visitor ${n}`,
    email: `visitor.${n}@example.com`,
    phone: `555${digits}`,
    zip: '90210',
  };
  return new URLSearchParams(fillIn(form, person)).toString();
}

/** Each visitor has an IP address of its own. */
const addressOf = (n: number): string => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
