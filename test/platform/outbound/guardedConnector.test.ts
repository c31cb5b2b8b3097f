import type { LookupAddress } from 'node:dns';
import { describe, it, expect } from '@jest/globals';
import { createNames } from '../../../src/platform/outbound/names/names.js';
import {
  createGuardedConnector,
  createGuardedLookup,
} from '../../../src/platform/outbound/guardedConnector.js';

const names = { resolve: createNames().resolve, asker: () => '' };
type Found = string | LookupAddress[];
const look = (allowPrivate: boolean, options: object) =>
  new Promise<Found>((resolve, reject) => {
    createGuardedLookup({ allowPrivate, ...names })('localhost', options, (error, found) => {
      if (error) reject(error);
      else resolve(found);
    });
  });

describe('createGuardedLookup', () => {
  it('refuses a name of which any address is private', async () => {
    await expect(look(false, { all: true })).rejects.toThrow(
      /^localhost \(.+\) is not a public address$/,
    );
  });

  it('returns one address or all, as asked', async () => {
    expect(await look(true, { family: 4 })).toBe('127.0.0.1');
    expect(await look(true, { all: true })).toContainEqual({ address: '127.0.0.1', family: 4 });
  });
});

describe('createGuardedConnector', () => {
  it.each(['127.0.0.1', '::1', '169.254.169.254', 'fe80::1%br-lan'])(
    'refuses the literal %s itself, whatever was checked before',
    async (hostname) => {
      const connect = createGuardedConnector({
        allowPrivate: false,
        connectTimeoutMs: 1_000,
        ...names,
      });
      const error = await new Promise((resolve) => {
        connect({ hostname, protocol: 'http:', port: '80' }, (...[refusal]) => resolve(refusal));
      });
      expect(error).toMatchObject({
        code: 'NOT_PUBLIC',
        message: `${hostname} is not a public address`,
      });
    },
  );
});
