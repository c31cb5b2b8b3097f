import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSystemReader } from '../../src/app/systemState.js';
import { startTestbed, type Testbed } from '../support/testbed.js';

describe('the state of the installation', () => {
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await startTestbed();
  });
  afterAll(() => testbed.stop());

  it('names what answers, and the versions of what runs', async () => {
    const { deps, health } = testbed.service;
    const read = createSystemReader({ deps, health, siteUrl: () => 'https://leads.example/' });
    const state = await read();
    expect(state).toMatchObject({
      status: 'ready',
      parts: [
        { name: 'mongodb', state: 'ok' },
        { name: 'temporal', state: 'ok' },
        { name: 'workers', state: 'ok' },
      ],
      versions: {
        node: process.versions.node,
        mongodb: expect.stringMatching(/^\d+\.\d+\.\d+/),
        temporal: expect.stringMatching(/^\d+\.\d+\.\d+/),
      },
      links: { metrics_url: 'https://leads.example/metrics', temporal_namespace: 'default' },
    });
  });

  it('has what does not answer as a part of it', async () => {
    const { deps } = testbed.service;
    const gone = () => Promise.reject(new Error('connection refused'));
    const read = createSystemReader({
      deps: {
        ...deps,
        store: { ...deps.store, db: { command: gone } as never },
        client: { withDeadline: gone } as never,
      },
      health: {
        check: () =>
          Promise.resolve({
            ok: false,
            dependencies: { temporal: { state: 'error', message: 'connection refused' } },
          }),
      },
      siteUrl: () => 'https://leads.example',
    });
    expect(await read()).toMatchObject({
      status: 'not_ready',
      parts: [{ name: 'temporal', state: 'error', message: 'connection refused' }],
      versions: { mongodb: null, temporal: null },
    });
  });
});
