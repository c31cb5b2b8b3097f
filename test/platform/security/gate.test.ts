import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import {
  createGate,
  type Attempt,
  type AttemptResult,
} from '../../../src/platform/security/gate.js';

const HERE = '192.0.2.1';
const MOST = 30;

function aGate(failuresPerMinute = MOST) {
  const clock = { at: 1_000 };
  const gate = createGate({ failuresPerMinute, now: () => clock.at });
  const attempt = (credential: string | null, address = HERE): Attempt => ({ address, credential });
  const call = (result: AttemptResult, credential: string | null = null, address = HERE): void =>
    gate.admit(attempt(credential, address))(result);
  /** The refusal of one more attempt; null when it is admitted. */
  const refusal = (credential: string | null = null, address = HERE): unknown => {
    try {
      gate.admit(attempt(credential, address))('open');
      return null;
    } catch (error) {
      return error;
    }
  };
  const failOften = (key?: (n: number) => string): void => {
    for (let n = 0; n < MOST; n += 1) call('failed', key?.(n) ?? null);
  };
  return { clock, gate, call, refusal, failOften };
}

describe('the limit of failures by address', () => {
  it('refuses an address after 30 failures, and accepts one more every two seconds', () => {
    const { clock, call, refusal, failOften } = aGate();
    failOften();
    expect(refusal()).toMatchObject({ code: 'rate_limited', extras: { retry_after: 2 } });
    expect(refusal(null, '192.0.2.2')).toBeNull();
    clock.at += 1_999;
    expect(refusal()).toMatchObject({ extras: { retry_after: 1 } });
    clock.at += 1;
    expect(refusal()).toBeNull();
    call('failed');
    expect(refusal()).not.toBeNull();
    clock.at += 60_000;
    failOften();
    expect(refusal()).not.toBeNull();
  });

  it('lets a key that is known to be valid pass, until it is refused', () => {
    const { call, refusal, failOften } = aGate();
    call('passed', 'good');
    failOften((n) => `bad ${n}`);
    expect(refusal('other')).not.toBeNull();
    expect(refusal('good')).toBeNull();
    call('failed', 'good');
    expect(refusal('good')).toBeNull();
    failOften(() => 'good');
    expect(refusal('good')).not.toBeNull();
  });

  it('counts repeated failures and malformed keys separately from new keys', () => {
    const { call, refusal, failOften } = aGate();
    failOften(() => 'revoked');
    call('failed');
    expect(refusal()).not.toBeNull();
    expect(refusal('revoked')).not.toBeNull();
    expect(refusal('new')).toBeNull();
  });

  it('counts nothing against an address when the key is valid, or cannot be checked', () => {
    const { call, refusal } = aGate();
    for (let n = 0; n < 2 * MOST; n += 1) call('open', `key ${n}`);
    for (let n = 0; n < 2 * MOST; n += 1) call('passed', `valid ${n}`);
    expect(refusal('new')).toBeNull();
  });

  it('lets any number of keys be looked up at once from an address that has not failed', () => {
    const { gate } = aGate();
    const settles = Array.from({ length: 500 }, (_, n) =>
      gate.admit({ address: HERE, credential: `supplier ${n}` }),
    );
    for (const settle of settles) settle('passed');
    expect(settles).toHaveLength(500);
  });

  it('allows only as many concurrent lookups as failures are left', () => {
    const { gate, call, refusal } = aGate();
    call('failed', 'first');
    const begin = (credential: string) => gate.admit({ address: HERE, credential });
    for (let n = 0; n < MOST - 1; n += 1) begin(`key ${n}`);
    expect(refusal('one more')).not.toBeNull();
    // The same key again does not count as another attempt.
    expect(typeof begin('key 0')).toBe('function');
  });

  it('counts all failures of concurrent attempts', () => {
    const { gate, refusal } = aGate();
    const settles = Array.from({ length: MOST }, (_, n) =>
      gate.admit({ address: HERE, credential: `key ${n}` }),
    );
    for (const settle of settles) settle('failed');
    expect(refusal('one more')).not.toBeNull();
  });

  it('keeps its counts when a key could not be checked', () => {
    const { gate, refusal } = aGate(1);
    const settle = gate.admit({ address: HERE, credential: 'key' });
    settle('failed');
    settle('open');
    expect(refusal('other')).not.toBeNull();
  });

  it('is off at 0', () => {
    const { refusal, failOften } = aGate(0);
    failOften();
    failOften();
    expect(refusal()).toBeNull();
  });

  it('remembers a bounded number of addresses and keys', () => {
    const { call, refusal, failOften } = aGate();
    failOften();
    const flood = (name: string) => {
      // More than are remembered of each: addresses, refused keys and valid ones.
      for (let n = 0; n < 51_000; n += 1) {
        call('failed', `${name} ${n}`, `${name} address ${n}`);
        call('passed', `${name} valid ${n}`, '192.0.2.9');
      }
      return heapBytes();
    };
    const before = flood('first');
    // The address that failed long ago is evicted by newer ones, and memory does not grow.
    expect(refusal()).toBeNull();
    expect(flood('second') - before).toBeLessThan(4 * 1024 * 1024);
  });
});

function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
