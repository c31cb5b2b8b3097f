import { describe, expect, it } from '@jest/globals';
import { wantsColor } from '../../../cli/output/paint.js';

describe('wantsColor', () => {
  it.each([
    ['a terminal', {}, true, true],
    ['a pipe', {}, false, false],
    ['NO_COLOR', { NO_COLOR: '1' }, true, false],
    ['an empty NO_COLOR', { NO_COLOR: '' }, true, true],
    ['NO_COLOR over CLICOLOR_FORCE', { NO_COLOR: '1', CLICOLOR_FORCE: '1' }, true, false],
    ['CLICOLOR_FORCE in a pipe', { CLICOLOR_FORCE: '1' }, false, true],
    ['CLICOLOR_FORCE=0 in a pipe', { CLICOLOR_FORCE: '0' }, false, false],
    ['CLICOLOR=0', { CLICOLOR: '0' }, true, false],
    ['TERM=dumb', { TERM: 'dumb' }, true, false],
  ])('follows %s', (_what, environment, isTerminal, expected) => {
    expect(wantsColor(environment, isTerminal)).toBe(expected);
  });
});
