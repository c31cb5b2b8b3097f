import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../../src/lib/errors.js';
import {
  CommandFailed,
  describeError,
  EXIT,
  exitCodeOf,
  UsageError,
} from '../../../cli/terminal/errors.js';

describe('describeError', () => {
  it('is the message alone, and the stacks with it for debugging', () => {
    const error = new Error('It broke.', { cause: new Error('the reason') });
    expect(describeError(error, false)).toBe('It broke.');
    expect(describeError(error, true)).toMatch(/It broke\.\n.*at .*caused by Error: the reason/s);
  });

  it('lists what is wrong with each field', () => {
    const error = new AppError('validation_failed', 'Two values are wrong.', {
      field_errors: [{ field: 'name', code: 'required', message: 'name must not be empty.' }],
    });
    expect(describeError(error, false)).toBe('Two values are wrong.\n  name must not be empty.');
  });

  it('shows what to do next', () => {
    const error = new CommandFailed('There is no key.', EXIT.needsLogin, 'Log in: leadwire login');
    expect(describeError(error, false)).toBe('There is no key.\nLog in: leadwire login');
  });

  it('describes anything that is thrown', () => {
    expect(describeError('text', false)).toBe('text');
    expect(describeError(new TypeError(), false)).toBe('TypeError');
  });
});

describe('exit codes', () => {
  it('match those of the GitHub CLI', () => {
    expect(EXIT).toEqual({
      done: 0,
      failed: 1,
      canceled: 2,
      differs: 3,
      needsLogin: 4,
      pending: 8,
    });
  });

  it('are 1 for wrong usage and failures, unless the failure has its own', () => {
    expect(exitCodeOf(new UsageError('no'))).toBe(1);
    expect(exitCodeOf(new Error('no'))).toBe(1);
    expect(exitCodeOf(new CommandFailed('no', EXIT.needsLogin))).toBe(4);
  });
});
