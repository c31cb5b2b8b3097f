/** Temporal, which runs the work, or its workers do not answer: refusals say which. Its outage itself: test/web/browser/console/edges.test.ts. */
import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { SystemState } from '../../../src/api/actions/schemas/system.js';
import { AppError, unavailable } from '../../../src/lib/errors.js';
import { CommandUnanswered } from '../../../src/distribution/commands/errors.js';
import { createQueueCommands } from '../../../src/distribution/commands/queueCommands.js';
import { createCommandStore } from '../../../src/distribution/store/commands.js';
import { systemClock } from '../../../src/lib/clock.js';
import { fakeIntake } from '../../support/http.js';
import {
  actionDeps,
  setUp,
  startActionsApi,
  type ActionsApi,
  type Org,
} from '../../support/api.js';

type Part = SystemState['parts'][number];

const AWAY = 'Temporal, which runs the work, does not answer now.';

/** As the client wraps what gRPC reports. */
const temporalError = (code: number): Error => {
  const cause = Object.assign(new Error('gRPC'), { code, details: 'gone', metadata: {} });
  expect(isGrpcServiceError(cause)).toBe(true);
  return new ServiceError('Update-With-Start failed', { cause });
};

describe('an action whose work cannot be run', () => {
  let api: ActionsApi;
  let org: Org;
  let ids: { campaign_id: string; buyer_id: string };
  /** What the command ends with. */
  let failure: Error;
  let parts: Part[];
  let asked = 0;
  beforeAll(async () => {
    api = await startActionsApi({
      intake: { ...fakeIntake(), submit: () => Promise.reject(unavailable('Send it again.')) },
      queue: {
        retry: () => Promise.reject(failure),
        hold: () => Promise.reject(failure),
        drop: () => Promise.reject(failure),
        resolve: () => Promise.reject(failure),
      },
      system: async (): Promise<SystemState> => {
        asked += 1;
        return { ...(await actionDeps(api.collections).system()), parts };
      },
    });
    org = await api.org();
    const { campaign, buyer } = await setUp(api, org);
    ids = { campaign_id: campaign.id, buyer_id: buyer.id };
  });
  beforeEach(() => {
    parts = ['mongodb', 'temporal', 'workers'].map((name) => ({ name, state: 'ok' }));
    asked = 0;
  });
  afterAll(() => api.stop());
  const lose = (...names: string[]) => {
    parts = parts.map((part) => (names.includes(part.name) ? { ...part, state: 'error' } : part));
  };
  const retry = async () => {
    const { buyer_id } = ids;
    const { status, json } = await api.call(await org.sharedKey(), 'retry_deliveries', {
      buyer_id,
    });
    return [status, json?.error, json?.message];
  };

  it.each([
    ['is not reached: the connection may have broken later', 14],
    ['does not answer in time', 4],
  ])('may be done where Temporal %s', async (_, code) => {
    failure = temporalError(code);
    const [status, error, message] = await retry();
    expect([status, error]).toEqual([504, 'outcome_unknown']);
    expect(message).toMatch(`${AWAY} Whether this was done is unknown`);
    expect(asked).toBe(0);
  });

  it('does not promise to go on where nothing is there to do it', async () => {
    failure = new CommandUnanswered('c-1', 20_000, new Error('late'));
    expect((await retry())[2]).toMatch(/^The command takes longer and continues/);
    lose('workers');
    expect((await retry())[2]).toMatch(/^No worker runs now\. Whether this was done is unknown/);
    lose('temporal');
    expect((await retry())[2]).toMatch(AWAY);
    lose('mongodb');
    expect((await retry())[2]).toMatch(/^The database \(MongoDB\) does not answer now\./);
  });

  it('keeps a refusal of another kind', async () => {
    lose('temporal');
    failure = new AppError('action_refused', 'It is paused.');
    expect(await retry()).toEqual([400, 'action_refused', 'It is paused.']);
    failure = new Error('a fault of ours');
    expect((await retry()).slice(0, 2)).toEqual([500, 'internal']);
    expect(asked).toBe(0);
  });

  it('is named to the operator of a test lead, and not to its supplier', async () => {
    lose('temporal', 'workers');
    const { campaign_id } = ids;
    const data = await api.done(org, 'send_test_lead', { campaign_id });
    expect(data).toMatchObject({
      http_status: 503,
      message: expect.stringMatching(`^Send it again. ${AWAY}`),
      answer: { message: 'Send it again.' },
    });
  });
});

describe('a command', () => {
  it('that Temporal does not answer may be done; one that it is not there for is not', async () => {
    const api = await startActionsApi();
    const org = await api.org();
    const { buyer } = await setUp(api, org);
    let failure: Error = temporalError(4);
    const queue = createQueueCommands({
      collections: api.collections,
      commands: createCommandStore(api.collections.commands),
      clock: systemClock,
      starter: { command: () => Promise.reject(failure) },
      waitMs: 1_000,
    });
    const hold = () => queue.hold({ buyer_id: buyer.id }).catch((error: unknown) => error);
    expect(await hold()).toBeInstanceOf(CommandUnanswered);
    failure = unavailable('Temporal is away.', temporalError(4));
    expect(await hold()).toBe(failure);
    await api.stop();
  });
});
