import { describe, expect, it } from '@jest/globals';
import { waitFor } from './waitFor.js';

describe('waitFor', () => {
  it('returns the first truthy value', async () => {
    let looks = 0;
    expect(await waitFor(() => (++looks < 3 ? null : `look ${looks}`))).toBe('look 3');
  });

  it('waits for a condition that throws until it holds', async () => {
    let looks = 0;
    await waitFor(() => {
      expect(++looks).toBe(3);
      return true;
    });
    expect(looks).toBe(3);
  });

  it('reports the last value at the timeout', async () => {
    const waiting = waitFor(() => Promise.resolve(false), { timeoutMs: 20, message: 'it is sold' });
    await expect(waiting).rejects.toThrow('Not within 20 ms: it is sold\nLast seen: false');
  });

  it('reports the last error at the timeout', async () => {
    const error = new Error('2 leads');
    const waiting = waitFor(() => Promise.reject(error), { timeoutMs: 20, message: '3 leads' });
    await expect(waiting).rejects.toMatchObject({
      message: 'Not within 20 ms: 3 leads\nLast error: 2 leads',
      cause: error,
    });
  });

  it('shows the condition itself when it has no message', async () => {
    const leads: string[] = [];
    const waiting = waitFor(() => leads.length > 2, { timeoutMs: 1 });
    await expect(waiting).rejects.toThrow('() => leads.length > 2');
  });
});
