import { describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HistoryEvent } from './evidence.js';
import { openHistory, readHistory } from './historyFile.js';

describe('the history of a run', () => {
  it('is in memory and in its file, in the order of recording', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chaos-history-'));
    const file = join(folder, 'history.jsonl');
    const events: HistoryEvent[] = [
      { kind: 'fault', at: 1, ended: 2, type: 'kill', targets: ['api'] },
      { kind: 'seen', state: 'rare', count: 3 },
    ];
    const history = await openHistory(file);
    events.forEach((event) => history.append(event));
    await history.close();
    expect(history.events).toEqual(events);
    expect(await readHistory(file)).toEqual(events);
    await rm(folder, { recursive: true });
  });

  it('fails when its file cannot be created', async () => {
    await expect(openHistory('/nowhere/history.jsonl')).rejects.toThrow('ENOENT');
  });
});
