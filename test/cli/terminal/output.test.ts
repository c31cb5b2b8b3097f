/** Results that cannot be written: a full disk, and a reader that is gone. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCli } from '../../support/cli.js';
import { endlessLists, type EndlessLists } from '../endlessLists.js';

let lists: EndlessLists;
beforeAll(async () => {
  lists = await endlessLists();
});
afterAll(() => lists.stop());

/** Without what is said of rows that are left. */
const messages = (stderr: string) => stderr.replace(/^Showing 2, .*\n/, '');

describe('an output that cannot be written', () => {
  it.each([
    [['man']],
    [['--help']],
    [['audit', 'list', '--json', '--limit', '2']],
    [['audit', 'list', '--csv', '--limit', '2']],
    [['audit', 'list', '--all', '--jsonl']],
  ])('ends %j with 1 and the reason', async (args) => {
    const { code, stderr } = await runCli(args, lists.environment, { output: 'ENOSPC' });
    expect(messages(stderr)).toBe(
      'Error: The output could not be written: no space left on device.\n',
    );
    expect(code).toBe(1);
  });
});

it.each([
  [['man']],
  [['audit', 'list', '--json', '--limit', '2']],
  [['audit', 'list', '--all', '--jsonl']],
])('ends %j quietly with 0 when its reader is gone', async (args) => {
  const { code, stderr } = await runCli(args, lists.environment, { output: 'EPIPE' });
  expect([code, messages(stderr)]).toEqual([0, '']);
});
