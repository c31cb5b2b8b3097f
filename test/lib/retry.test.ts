import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../src/lib/errors.js';
import { retryOnConflict } from '../../src/lib/retry.js';

const conflict = () => new AppError('version_conflict', 'It was changed.');

describe('retryOnConflict', () => {
  /** An attempt that fails `times` times because of another writer. */
  const undone = (times: number) => {
    const attempt = () => {
      attempt.count += 1;
      return attempt.count <= times ? Promise.reject(conflict()) : Promise.resolve('done');
    };
    attempt.count = 0;
    return attempt;
  };
  const quick = { attempts: 5, pauseMs: 0, pauseMaxMs: 0 };

  it('returns the result of the first attempt without a conflict', async () => {
    const attempt = undone(2);
    await expect(retryOnConflict(attempt)).resolves.toBe('done');
    expect(attempt.count).toBe(3);
  });

  it('throws version_conflict when every attempt conflicts', async () => {
    const attempt = undone(5);
    await expect(retryOnConflict(attempt, quick)).rejects.toMatchObject({
      code: 'version_conflict',
    });
    expect(attempt.count).toBe(5);
    await expect(retryOnConflict(undone(4), quick)).resolves.toBe('done');
  });

  it('throws anything else at once', async () => {
    let count = 0;
    const attempt = () => {
      count += 1;
      return Promise.reject(new AppError('not_found', 'There is none.'));
    };
    await expect(retryOnConflict(attempt, quick)).rejects.toMatchObject({ code: 'not_found' });
    expect(count).toBe(1);
  });
});
