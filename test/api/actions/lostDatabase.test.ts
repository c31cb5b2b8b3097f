/** The database fails while an action runs. */
import { MongoNetworkError } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createActionService } from '../../../src/api/actions/service.js';
import { NO_WITNESS } from '../../../src/api/http/witness.js';
import type { Collections } from '../../../src/app/database.js';
import { actionDeps, startActionsApi, type ActionsApi } from '../../support/api.js';

describe('an action without its database', () => {
  let api: ActionsApi;
  beforeAll(async () => {
    api = await startActionsApi();
  });
  afterAll(() => api.stop());

  const lost = () => Promise.reject(new MongoNetworkError('connection lost'));
  const lostCursor = () => ({ toArray: lost });
  /** Calls create_buyer while one call of one collection fails. */
  const create = async (kind: 'buyers' | 'audit' | 'apiKeys', call: string) => {
    const org = await api.org();
    const broken = new Proxy(api.collections[kind], {
      get: (target, key): unknown => {
        if (key !== call) return Reflect.get(target, key, target);
        return call === 'find' ? lostCursor : lost;
      },
    });
    const collections: Collections = { ...api.collections, [kind]: broken };
    const actions = createActionService(actionDeps(collections));
    const body = () => Promise.resolve({ name: 'Acme' });
    const done = await actions
      .run(`Bearer ${await org.sharedKey()}`, { name: 'create_buyer', body, witness: NO_WITNESS })
      .catch((error: unknown) => error);
    const stored = await api.collections.buyers.countDocuments({ org_id: org.id });
    const entry = await api.collections.audit.findOne({ org_id: org.id });
    return { done, stored, outcome: entry?.outcome };
  };

  it('returns 503 when nothing was started', async () => {
    for (const [kind, call] of [
      ['apiKeys', 'find'],
      ['audit', 'insertOne'],
    ] as const) {
      expect(await create(kind, call)).toMatchObject({ done: { status: 503 }, stored: 0 });
    }
  });

  it('returns an unknown result when the database is lost in the middle, and records that', async () => {
    expect(await create('buyers', 'insertOne')).toMatchObject({
      done: { status: 504, code: 'outcome_unknown' },
      outcome: 'failed',
    });
  });

  it('returns the result even when its end cannot be recorded', async () => {
    expect(await create('audit', 'updateOne')).toMatchObject({
      done: { data: { name: 'Acme' } },
      stored: 1,
      outcome: null,
    });
  });
});
