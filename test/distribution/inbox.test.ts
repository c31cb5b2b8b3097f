import { describe, expect, it } from 'vitest';
import { createInbox } from '../../src/distribution/inbox.js';

describe('inbox', () => {
  it('hands out what came within the time, and does not wait for the rest', async () => {
    for (let round = 0; round < 50; round++) {
      const inbox = createInbox<string>();
      inbox.put('early');
      // The second item never comes: only the timer can end the waiting.
      await expect(inbox.gather(2, 3)).resolves.toEqual(['early']);
    }
  });

  it('does not wait at all once everybody has answered', async () => {
    const inbox = createInbox<number>();
    const gathered = inbox.gather(2, 60_000);
    inbox.put(1);
    inbox.put(2);
    await expect(gathered).resolves.toEqual([1, 2]);
  });

  it('waits for the first item, however long it takes', async () => {
    const inbox = createInbox<string>();
    const gathered = inbox.gather(3, 1);
    setTimeout(() => inbox.put('late'), 30);
    await expect(gathered).resolves.toEqual(['late']);
  });

  it('says when somebody waits and nothing is there', async () => {
    const inbox = createInbox<string>();
    const waiting = inbox.untilWaiting();
    void inbox.gather(1, 1);
    await expect(waiting).resolves.toBeUndefined();
    await expect(inbox.untilWaiting()).resolves.toBeUndefined();
    inbox.put('done');
  });
});
