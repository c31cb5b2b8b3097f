/** The answers when something fails behind a tool. */
import { MongoNetworkError } from 'mongodb';
import { describe, expect, it } from '@jest/globals';
import type { KeySession } from '../../../src/api/actions/service.js';
import { AppError, unavailable } from '../../../src/lib/errors.js';
import { NO_WITNESS } from '../../../src/api/http/witness.js';
import type { Log } from '../../../src/lib/log.js';
import { answerMcp, type McpAnswer } from '../../../src/api/mcp/answer.js';
import { toolCall, type ToolReply } from './post.js';

/** Calls a tool whose work ends with this error; `logged` is what the log shows an operator. */
async function failing(error: Error): Promise<{ answer: McpAnswer; logged: unknown[] }> {
  const logged: unknown[] = [];
  const log = { warn: (line: unknown) => logged.push(line) } as unknown as Log;
  const session: KeySession = {
    actions: () => [],
    count: () => Promise.resolve({ RateLimit: 'counted' }),
    describe: () => Promise.reject(error),
    run: () => Promise.reject(error),
  };
  const post = {
    header: () => undefined,
    readJson: () => Promise.resolve(toolCall('list_buyers')),
    requestId: 'r-1',
    toolsets: undefined,
    witness: NO_WITNESS,
  };
  const actions = { open: () => Promise.resolve(session) };
  return { answer: await answerMcp(post, { actions, log }), logged };
}

const toolOf = ({ body }: McpAnswer) => (body as unknown as { result: ToolReply }).result;

describe('a tool that fails', () => {
  it('reports a server error and the id in the log, and no more', async () => {
    const bug = new TypeError('secrets of the house');
    const { answer, logged } = await failing(bug);
    expect(answer.status).toBe(200);
    expect(toolOf(answer)).toMatchObject({
      isError: true,
      structuredContent: {
        success: false,
        code: 'internal',
        request_id: 'r-1',
        error: 'Something failed on our side; it is logged under this request_id.',
      },
    });
    expect(JSON.stringify(answer)).not.toContain('secrets');
    expect(logged).toEqual([{ request_id: 'r-1', tool: 'list_buyers', err: bug }]);
  });

  it('without the database says when to call again', async () => {
    const cause = new MongoNetworkError('connection lost');
    const { answer, logged } = await failing(unavailable('The account cannot be reached.', cause));
    expect(answer).toMatchObject({ status: 200, headers: { 'retry-after': '2' } });
    expect(toolOf(answer).structuredContent).toMatchObject({ code: 'unavailable', retry_after: 2 });
    expect(logged).toEqual([{ request_id: 'r-1', tool: 'list_buyers', err: cause }]);
  });

  it('is not logged when the caller was refused', async () => {
    const headers = { RateLimit: '"actions";r=3;t=9' };
    const refusal = new AppError('action_refused', 'It is too late.', { headers });
    const { answer, logged } = await failing(refusal);
    expect([answer.headers, logged]).toEqual([headers, []]);
    expect(toolOf(answer).structuredContent).toMatchObject({ error: 'It is too late.' });
  });
});
