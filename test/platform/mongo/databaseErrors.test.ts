import { describe, expect, it } from '@jest/globals';
import { MongoNetworkError } from 'mongodb';
import { isDatabaseError } from '../../../src/platform/mongo/databaseErrors.js';

const withCode = (code: string): Error =>
  Object.assign(new Error('This socket has been ended by the other party'), { code });

describe('an error of the database', () => {
  it.each([
    ["the driver's own", new MongoNetworkError('connection closed')],
    ['a write to a socket that the server has closed', withCode('EPIPE')],
    ['a connection that was reset', withCode('ECONNRESET')],
  ])('is %s', (_name, error) => {
    expect(isDatabaseError(error)).toBe(true);
  });

  it.each([
    ['a fault of our own', new TypeError('x is not a function')],
    ['a system error of another kind', withCode('ENOENT')],
    ['no error at all', { code: 'EPIPE' }],
  ])('is not %s', (_name, error) => {
    expect(isDatabaseError(error)).toBe(false);
  });
});
