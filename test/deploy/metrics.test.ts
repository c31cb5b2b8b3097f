import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { send } from '../support/http.js';
import { aPerson } from '../support/supplier.js';
import { startTestbed, type Market, type Testbed } from '../support/testbed.js';
import { waitFor } from '../support/waitFor.js';
import { listMetrics, withMetrics } from './metricsTable.js';
import { groupedBy, selectedBy } from './promql.js';
import { readRoot } from './repository.js';

interface Panel {
  id: number;
  type: string;
  title: string;
  targets?: { expr: string }[];
}
interface Dashboard {
  uid: string;
  panels: Panel[];
}
interface Rules {
  groups: {
    name: string;
    rules: {
      alert: string;
      expr: string;
      labels: Record<string, string>;
      annotations: Record<string, string>;
    }[];
  }[];
}

const dashboard = JSON.parse(readRoot('deploy/grafana/leadwire.json')) as Dashboard;
const alerts = (parse(readRoot('deploy/prometheus/alerts.yml')) as Rules).groups.flatMap(
  ({ rules }) => rules,
);
const shown = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ from: title, expr })),
);
const expressions = [...shown, ...alerts.map(({ alert, expr }) => ({ from: alert, expr }))];

/** What Prometheus itself adds to every sample, and to histograms. */
const ADDED = ['job', 'instance', 'le'];

describe('the metrics of a running service', () => {
  let testbed: Testbed;
  let market: Market;
  const pageOf = async (url = testbed.service.healthUrl) =>
    (await send(`${url ?? ''}/metrics`)).text;

  beforeAll(async () => {
    const settings = { HEALTH_PORT: '0', METRICS_REFRESH_SECONDS: '1' };
    testbed = await startTestbed({ settings });
    market = await testbed.market({
      campaign: { caps: { daily_cap: 10 } },
      buyers: {
        picky: { answer: () => ({ status: 422 }) },
        down: { answer: () => ({ status: 503 }), when_unavailable: 'WAIT' },
      },
    });
    await market.post();
  });
  afterAll(() => testbed.stop());

  it('count each answer and each delivery once', async () => {
    const page = await pageOf();
    const { campaignId, buyers } = market.account;
    expect(page).toContain(
      `leadwire_leads_total{campaign_id="${campaignId}",status="PENDING"} 1\n`,
    );
    const attempts = (buyer: string, result: string) =>
      `leadwire_delivery_attempts_total{buyer_id="${buyers[buyer] ?? ''}",result="${result}"} `;
    expect(page).toContain(`${attempts('picky', 'rejected')}1\n`);
    expect(page).toMatch(new RegExp(`^${attempts('down', 'not_taken')}[1-9]`, 'm'));
    expect(page).toContain(`leadwire_delivery_seconds_count{buyer_id="${buyers.picky ?? ''}"} 1\n`);
  });

  it('count no answer twice, no test lead, and a refusal for what it is', async () => {
    const strict = await testbed.market({
      campaign: { filters: [{ field: 'state', operator: '==', value: 'CA' }] },
    });
    const key = { headers: { 'idempotency-key': 'once' } };
    const person = aPerson();
    const twice = [await strict.post(person, key), await strict.post(person, key)];
    expect(twice.map(({ status }) => status)).toEqual([201, 201]);
    const refused = { headers: { 'idempotency-key': 'refused' } };
    const stranger = { ...aPerson(), state: 'NY' };
    const both = [await strict.post(stranger, refused), await strict.post(stranger, refused)];
    expect(both.map(({ error }) => error)).toEqual(['filtered', 'filtered']);
    await strict.post(person);
    expect((await strict.post({ ...aPerson(), email: 'none' })).status).toBe(400);
    expect((await strict.post({ ...aPerson(), test_lead: true })).data?.status).toBe('UNMATCHED');
    const page = await pageOf();
    const counted = (campaign: string): string[] =>
      [...page.matchAll(/^leadwire_leads_total{campaign_id="(.+)",status="(.+)"} (.+)$/gm)].flatMap(
        ([, id, status, n]) => (id === campaign ? [`${status} ${n}`] : []),
      );
    expect(counted(strict.account.campaignId)).toEqual(['ACCEPTED 1', 'DUPLICATE 1', 'REJECTED 1']);
  });

  it('tell what waits, what is used and what has come today, with names', async () => {
    const { campaignId, buyers } = market.account;
    const expected = [
      `leadwire_queue_deliveries{buyer_id="${buyers.down ?? ''}",state="parked"} 1`,
      'leadwire_waiting_deliveries{state="parked"} 1',
      `leadwire_cap_used_ratio{scope="campaign",campaign_id="${campaignId}",window="day",of="count"} 0.1`,
      `leadwire_today_leads{campaign_id="${campaignId}",status="PENDING"} 1`,
      `leadwire_today_revenue{campaign_id="${campaignId}",currency="USD"} 0`,
      `leadwire_campaign_info{campaign_id="${campaignId}",name="Campaign"} 1`,
      `leadwire_buyer_info{buyer_id="${buyers.down ?? ''}",name="down"} 1`,
      'leadwire_state_failures_total 0',
    ];
    // The roll-ups follow within seconds.
    await waitFor(
      async () => {
        const page = await pageOf();
        return expected.every((line) => page.includes(`${line}\n`));
      },
      { message: 'the state of the database is shown', timeoutMs: 15_000 },
    );
  });

  it('show the workers and their connections', async () => {
    const page = await pageOf();
    const { taskQueuePrefix: prefix } = testbed.stack;
    for (const [queue, worker] of [
      ['leads', 'WorkflowWorker'],
      ['leads', 'LocalActivityWorker'],
      ['delivery', 'ActivityWorker'],
    ])
      expect(page).toMatch(
        new RegExp(
          `^temporal_worker_task_slots_available{task_queue="${prefix}${queue}",worker_type="${worker}"} [1-9]`,
          'm',
        ),
      );
    expect(page).toMatch(
      new RegExp(
        `^temporal_workflow_task_schedule_to_start_latency_seconds_count{task_queue="${prefix}leads"} [1-9]`,
        'm',
      ),
    );
    expect(page).toMatch(/^leadwire_mongodb_pool_connections [1-9]/m);
    expect(page).toMatch(/^leadwire_mongodb_pool_waiting_commands 0$/m);
    expect(page).toMatch(/^leadwire_intake_queue_limit_requests 2000$/m);
  });

  it('are all that the dashboard and the alerts ask for', async () => {
    const page = await pageOf();
    const types = new Map(
      [...page.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]),
    );
    const isThere = (metric: string) => {
      const histogram = metric.replace(/_(?:bucket|sum|count)$/, '');
      return metric === 'up' || types.has(metric) || types.get(histogram) === 'histogram';
    };
    const asked = expressions.flatMap(({ expr }) => selectedBy(expr).map(({ metric }) => metric));
    expect([...new Set(asked)].filter((metric) => !isThere(metric))).toEqual([]);
    expect(new Set(asked).size).toBeGreaterThan(40);
  });

  it('name no campaign on the port of the API, whoever asks, unless it is set to', async () => {
    const settings = { METRICS_REFRESH_SECONDS: '1' };
    const others = await Promise.all([
      testbed.start('api', settings),
      testbed.start('api', { ...settings, METRICS_ON_PORT: 'all' }),
    ]);
    const [usual, all] = await Promise.all(
      others.map(async ({ url }) => ({
        page: await pageOf(url),
        ready: (await send(`${url}/readyz`)).json,
      })),
    );
    const { campaignId } = market.account;
    expect(usual?.page).toContain('leadwire_http_requests_total');
    for (const named of [campaignId, 'leadwire_today', 'leadwire_buyer_info'])
      expect(usual?.page).not.toContain(named);
    expect(all?.page).toContain(`leadwire_campaign_info{campaign_id="${campaignId}"`);
    expect(usual?.ready).toMatchObject({ status: 'ready' });
    expect(usual?.ready).not.toHaveProperty('attention');
    expect(all?.ready).toHaveProperty('attention.counted_to');
    expect((await send(`${testbed.service.healthUrl}/readyz`)).json).toHaveProperty('attention');
    for (const other of others) await other.stop();
  });
});

describe('the dashboard', () => {
  it('has an id that Grafana finds it by again, and one for each panel', () => {
    expect(dashboard.uid).toBe('leadwire-overview');
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has its rows in the order in which an operator reads', () => {
    const rows = dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title);
    expect(rows).toEqual([
      'Leads in',
      'Sold',
      'Money',
      'Waits',
      'Buyers',
      'Caps',
      'Events',
      'Service',
    ]);
  });
});

describe('the alerts', () => {
  it('each have a name of their own, a severity, and texts for who is woken', () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
    for (const { labels, annotations } of alerts) {
      expect(['critical', 'warning', 'info']).toContain(labels.severity);
      expect(annotations.summary).toMatch(/\S/);
      expect(annotations.description).toMatch(/\S/);
    }
    expect(alerts.length).toBeGreaterThan(15);
  });
});

describe('the expressions of both', () => {
  it.each(expressions)(
    'are PromQL, and name labels that the metrics have: $from',
    async ({ expr }) => {
      const labels = new Map((await listMetrics()).map((one) => [one.name, one.labels]));
      for (const { metric, labels: named } of selectedBy(expr)) {
        const own = labels.get(metric) ?? labels.get(metric.replace(/_(?:bucket|sum|count)$/, ''));
        expect([...(own ?? []), ...ADDED]).toEqual(expect.arrayContaining(named));
      }
      const all = [...labels.values()].flat();
      expect([...all, ...ADDED]).toEqual(expect.arrayContaining(groupedBy(expr)));
    },
  );

  it('are refused where they are none', () => {
    expect(() => selectedBy('sum by (le) (rate(a_total[5m])')).toThrow('No PromQL at');
    expect(groupedBy('sum by (a) (b) * on (c) group_left (d) e')).toEqual(['a', 'c', 'd']);
    expect(selectedBy('a{b="c"} / on (d) rate(e_total{job=~"$job"}[$__rate_interval])')).toEqual([
      { metric: 'a', labels: ['b'] },
      { metric: 'e_total', labels: ['job'] },
    ]);
  });
});

describe('the example of a configuration', () => {
  it('loads the alerts, and calls the job as they do', () => {
    const config = parse(readRoot('deploy/prometheus/prometheus.yml')) as {
      rule_files: string[];
      scrape_configs: { job_name: string }[];
    };
    expect(config.rule_files).toEqual(['alerts.yml']);
    expect(config.scrape_configs.map(({ job_name }) => job_name)).toEqual(['leadwire']);
  });
});

describe('the table of metrics on the operations page', () => {
  it('has every metric as it is (npm run docs:metrics writes it)', async () => {
    const page = readRoot('docs/operations.md');
    expect(withMetrics(page, await listMetrics())).toBe(page);
  });
});
