import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../src/app/config.js';
import type { Lead } from '../../src/leads/rules/lead.js';
import { createLog } from '../../src/lib/log.js';
import { createMetrics } from '../../src/platform/metrics.js';
import { startHealthServer } from '../../src/app/healthServer.js';
import { Readiness } from '../../src/api/schemas/health.js';
import { send } from '../support/http.js';
import { startServiceBed, type ServiceBed } from '../support/service.js';
import { waitFor } from '../support/waitFor.js';
import { execForm, parseDockerfile, textsOf } from './dockerfile.js';
import { readRoot } from './repository.js';

const HEALTH = { HEALTH_PORT: '0' };
type Started = Awaited<ReturnType<ServiceBed['start']>>;

describe('health and metrics of roles', () => {
  let bed: ServiceBed;
  beforeAll(async () => {
    bed = await startServiceBed();
  });
  afterAll(() => bed.stop());

  const readiness = async (url: string | null) => {
    const reply = await send(`${url ?? ''}/readyz`);
    return Readiness.parse(reply.json);
  };

  it('serves neither without HEALTH_PORT in a role without an API', async () => {
    const delivery = await bed.start('delivery');
    expect(delivery).toMatchObject({ url: '', healthUrl: null });
    await delivery.stop();
  });

  it('shows a process that is starting as alive, not ready, with its metrics', async () => {
    const healthServer = await startHealthServer({
      config: readConfig(HEALTH),
      log: createLog('silent', 'worker'),
      metrics: createMetrics({ ofProcess: true }),
    });
    const url = healthServer.url ?? '';
    expect((await send(`${url}/healthz`)).status).toBe(200);
    expect((await send(`${url}/readyz`)).status).toBe(503);
    expect(await readiness(url)).toMatchObject({
      dependencies: { process: { state: 'error', message: 'The process is starting' } },
    });
    expect((await send(`${url}/metrics`)).text).toContain('process_resident_memory_bytes');
    healthServer.setHealth({ check: () => Promise.resolve({ ok: true, dependencies: {} }) });
    expect((await send(`${url}/readyz`)).status).toBe(200);
    await healthServer.close();
  });

  it('makes a delivery process ready when its own worker runs, whatever else is missing', async () => {
    const delivery = await bed.start('delivery', HEALTH);
    await waitFor(async () => (await readiness(delivery.healthUrl)).status === 'ready', {
      message: 'it runs',
    });
    expect(await readiness(delivery.healthUrl)).toMatchObject({
      status: 'ready',
      dependencies: {
        mongodb: { state: 'ok' },
        temporal: { state: 'ok' },
        workers: { state: 'ok' },
      },
    });
    await delivery.stop();
    await expect(send(`${delivery.healthUrl ?? ''}/healthz`)).rejects.toThrow();
  });

  describe('with and without HEALTH_PORT', () => {
    let apart: Started;
    let one: Started;
    beforeAll(async () => {
      [apart, one] = await Promise.all([bed.start('api', HEALTH), bed.start('api')]);
    });
    afterAll(() => Promise.all([apart.stop(), one.stop()]));

    it('keeps an API unready until a worker listens, and accepts leads only on its other port', async () => {
      expect(await readiness(apart.healthUrl)).toMatchObject({
        status: 'not_ready',
        dependencies: { workers: { state: 'error' } },
      });
      const path = '/api/v1/ingest';
      expect((await send(apart.url, { method: 'POST', path })).status).not.toBe(404);
      expect((await send(apart.healthUrl ?? '', { method: 'POST', path })).status).toBe(404);
    });

    it.each(['/healthz', '/readyz', '/metrics'])(
      'serves %s of an API only on HEALTH_PORT if it is set, otherwise on PORT',
      async (path) => {
        expect((await send(apart.url + path)).json).toMatchObject({ error: 'not_found' });
        expect((await send(apart.url + path)).status).toBe(404);
        expect((await send((apart.healthUrl ?? '') + path)).status).not.toBe(404);
        expect((await send(one.url + path)).status).not.toBe(404);
        expect(one.healthUrl).toBeNull();
        const paths = async (url: string) =>
          Object.keys((await send(`${url}/api/v1/openapi.json`)).json?.paths as object);
        expect(await paths(apart.url)).not.toContain(path);
        expect(await paths(one.url)).toContain(path);
        expect(await paths(apart.url)).toContain('/api/v1/ingest');
      },
    );
  });

  it('listens on HEALTH_HOST if it is set, otherwise on HOST', async () => {
    const pagesOf = (settings: Record<string, string>) =>
      startHealthServer({
        config: readConfig({ ...HEALTH, ...settings }),
        log: createLog('silent', 'worker'),
        metrics: createMetrics(),
      });
    const apart = await pagesOf({ HEALTH_HOST: '127.0.0.2', HOST: '127.0.0.3' });
    expect(apart.url).toContain('http://127.0.0.2:');
    const same = await pagesOf({ HOST: '127.0.0.3' });
    expect(same.url).toContain('http://127.0.0.3:');
    await Promise.all([apart.close(), same.close()]);
  });

  it('shows what reconcile repaired in its own process, by kinds that the operations page explains', async () => {
    const worker = await bed.start('worker', HEALTH);
    const delivery = await bed.start('delivery', HEALTH);
    const id = randomUUID();
    const hourAgo = new Date(Date.now() - 3_600_000);
    const forgotten: Partial<Lead> = {
      _id: id,
      org_id: 'org',
      campaign_id: 'campaign',
      status: 'NEW',
      run: null,
      lease_until: null,
      created_at: hourAgo,
      take_by: hourAgo,
      takes: 0,
    };
    await bed.collections.leads.insertOne(forgotten as Lead);
    const { client, queues } = delivery.deps;
    await client.workflow.execute('reconcile', {
      workflowId: randomUUID(),
      taskQueue: queues.leads,
      args: [{ taskQueue: queues.delivery }],
    });
    const page = async (url: string | null) => (await send(`${url ?? ''}/metrics`)).text;
    const metrics = await page(delivery.healthUrl);
    // One count for each round of reconcile, of this run or the schedule, before a worker acquires the lead.
    expect(metrics).toMatch(/leadwire_reconciled_total\{kind="lead"\} [1-9]\d*\n/);
    const operations = readRoot('docs/operations.md');
    for (const [, kind] of metrics.matchAll(/leadwire_reconciled_total\{kind="(\w+)"\}/g)) {
      expect(operations).toContain(`| \`${kind}\` `);
    }
    expect(await page(worker.healthUrl)).not.toContain('leadwire_reconciled_total{');
    await waitFor(
      async () => (await bed.collections.leads.findOne({ _id: id }))?.status === 'WITHDRAWN',
      { message: 'what its supplier was told 503 for is not sold' },
    );
  });

  it('names the address when the port is in use, and does not start', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const started = bed.start('worker', { HEALTH_PORT: String(port) });
    await expect(started).rejects.toThrow(`Cannot listen on 127.0.0.1:${port}`);
    other.close();
  });

  it('answers the health check of the image, which fails when nothing listens', async () => {
    const worker = await bed.start('worker', HEALTH);
    const check = execForm(
      textsOf(parseDockerfile(readRoot('Dockerfile')).at(-1)!, 'HEALTHCHECK')[0],
    );
    const [program = '', ...args] = check ?? [];
    const { port } = new URL(worker.healthUrl ?? '');
    const ask = async () => {
      const asking = execFile(program, args, {
        env: { PATH: process.env.PATH, HEALTH_PORT: port },
      });
      return (await once(asking, 'exit'))[0] as number | null;
    };
    expect(await ask()).toBe(0);
    await worker.stop();
    expect(await ask()).toBe(1);
  });
});
