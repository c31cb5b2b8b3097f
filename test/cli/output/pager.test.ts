import { describe, expect, it } from '@jest/globals';
import { pagerOf, printLong } from '../../../cli/output/pager.js';
import { testTerminal } from '../../support/cli.js';

describe('a pager', () => {
  const long = 'a line of a long list\n'.repeat(100_000);

  function show(environment: Record<string, string>, text = long) {
    const { terminal, stdout } = testTerminal({ PATH: process.env.PATH, ...environment });
    return { stdout, shown: printLong(text, { ...terminal, screen: { columns: 80, rows: 24 } }) };
  }

  it('that is closed early is no error', async () => {
    const { stdout, shown } = show({ PAGER: 'head -n 1 > /dev/null' });
    await expect(shown).resolves.toBeUndefined();
    expect(stdout()).toBe('');
  });

  it('that does not exist is skipped', async () => {
    const { stdout, shown } = show({ PAGER: 'no-such-pager 2> /dev/null' }, 'short\n'.repeat(30));
    await shown;
    expect(stdout()).toBe(`${'short\n'.repeat(30)}\n`);
  });

  it('is not used for output that fits, or without a terminal', async () => {
    const { stdout, shown } = show({ PAGER: 'false' }, 'one line');
    await shown;
    expect(stdout()).toBe('one line\n');
    const piped = testTerminal({ PAGER: 'false' });
    await printLong(long, piped.terminal);
    expect(piped.stdout()).toBe(`${long}\n`);
  });

  it.each([
    [{}, 'less'],
    [{ PAGER: 'more' }, 'more'],
    [{ PAGER: 'more', LEADWIRE_PAGER: 'most' }, 'most'],
    [{ PAGER: 'more', LEADWIRE_PAGER: '' }, null],
    [{ PAGER: '' }, null],
    [{ PAGER: 'cat' }, null],
  ])('is LEADWIRE_PAGER before PAGER before less; cat and nothing are none: %j', (env, pager) => {
    expect(pagerOf(env)).toBe(pager);
  });
});
