import { describe, it, expect } from '@jest/globals';
import {
  createKey,
  createSecret,
  hashKey,
  isWellFormedKey,
} from '../../../src/platform/security/keys.js';

describe('createKey', () => {
  it.each(['live', 'test'] as const)('makes a well-formed %s key', (mode) => {
    const key = createKey(mode);
    expect(key).toMatch(new RegExp(`^lw_${mode}_[0-9A-Za-z]{38}$`));
    expect(isWellFormedKey(key)).toBe(true);
  });

  it('makes another key each time, with every digit in use', () => {
    const keys = Array.from({ length: 500 }, () => createKey('live'));
    expect(new Set(keys).size).toBe(500);
    expect(new Set(keys.map((key) => key.slice(8, 40)).join('')).size).toBe(62);
  });
});

describe('isWellFormedKey', () => {
  it('accepts a key created long ago', () => {
    expect(isWellFormedKey('lw_live_0123456789ABCDEFGHIJKLMNOPQRSTUV3izM85')).toBe(true);
  });

  it('refuses a key with any one character changed', () => {
    const key = createKey('live');
    for (let at = 0; at < key.length; at += 1) {
      const other = key[at] === 'x' ? 'y' : 'x';
      expect(isWellFormedKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
    }
  });

  it('refuses a live key renamed to a test key', () => {
    expect(isWellFormedKey(createKey('live').replace('lw_live_', 'lw_test_'))).toBe(false);
  });

  it.each(['', 'lw_live_', 'Bearer x', 'x'.repeat(46), 'lw_live_'.padEnd(46, '_')])(
    'refuses %j',
    (text) => {
      expect(isWellFormedKey(text)).toBe(false);
    },
  );

  it('refuses a key with something before or after it', () => {
    const key = createKey('test');
    for (const text of [`${key}\n`, ` ${key}`, `${key}0`, key.repeat(1_000)]) {
      expect(isWellFormedKey(text)).toBe(false);
    }
  });
});

describe('secrets', () => {
  it('are 32 random bytes in hex', () => {
    expect(createSecret()).toMatch(/^[0-9a-f]{64}$/);
    expect(createSecret()).not.toBe(createSecret());
  });

  it('are stored as SHA-256', () => {
    expect(hashKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
