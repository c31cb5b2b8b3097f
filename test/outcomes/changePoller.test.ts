import { describe, expect, it } from '@jest/globals';
import { createChangePoller } from '../../src/outcomes/service.js';
import type { ChangeDoc } from '../../src/outcomes/store/outcomeDocs.js';
import { waitFor } from '../support/waitFor.js';

const aChange = (_id: string, state: ChangeDoc['state']) => ({ _id, state }) as ChangeDoc;

describe('waiting for a change', () => {
  it('reads once more for callers that arrived during a read, before it reports a change as absent', async () => {
    const reads: { ids: readonly string[]; answer: (found: Map<string, ChangeDoc>) => void }[] = [];
    const poller = createChangePoller({
      outcomes: {
        get: (ids) => new Promise((answer) => void reads.push({ ids, answer })),
      },
      clock: { monotonic: () => performance.now() },
      log: { warn: () => undefined },
    });
    const until = performance.now() + 10_000;
    const first = poller.wait('first', Infinity, until);
    await waitFor(() => reads.length === 1, { message: 'the first read' });
    const second = poller.wait('second', Infinity, until);
    reads[0]?.answer(new Map([['first', aChange('first', 'made')]]));
    expect(await first).toMatchObject({ _id: 'first' });
    await waitFor(() => reads.length === 2, { message: 'the second read' });
    expect(reads[1]?.ids).toEqual(['second']);
    reads[1]?.answer(new Map([['second', aChange('second', 'made')]]));
    expect(await second).toMatchObject({ _id: 'second' });
  });
});
