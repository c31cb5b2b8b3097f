import { describe, expect, it } from '@jest/globals';
import { pagerOf, printLong } from '../../../cli/output/pager.js';
import { createTerminal } from '../testTerminal.js';

describe('a pager', () => {
  const long = 'a line of a long list\n'.repeat(100_000);

  function show(environment: Record<string, string>, text = long) {
    const { terminal, out } = createTerminal({ PATH: process.env.PATH, ...environment });
    return { out, shown: printLong(text, { ...terminal, screen: { columns: 80, rows: 24 } }) };
  }

  it('that is closed early is no error', async () => {
    const { out, shown } = show({ PAGER: 'head -n 1 > /dev/null' });
    await expect(shown).resolves.toBeUndefined();
    expect(out).toEqual([]);
  });

  it('that does not exist is skipped', async () => {
    const { out, shown } = show({ PAGER: 'no-such-pager 2> /dev/null' }, 'short\n'.repeat(30));
    await shown;
    expect(out).toEqual(['short\n'.repeat(30)]);
  });

  it('is not used for output that fits, or without a terminal', async () => {
    const { out, shown } = show({ PAGER: 'false' }, 'one line');
    await shown;
    expect(out).toEqual(['one line']);
    const piped = createTerminal({ PAGER: 'false' });
    await printLong(long, piped.terminal);
    expect(piped.out).toEqual([long]);
  });

  it('is LEADWIRE_PAGER before PAGER before less; cat and nothing are none', () => {
    expect(pagerOf({})).toBe('less');
    expect(pagerOf({ PAGER: 'more' })).toBe('more');
    expect(pagerOf({ PAGER: 'more', LEADWIRE_PAGER: 'most' })).toBe('most');
    expect([pagerOf({ PAGER: '' }), pagerOf({ LEADWIRE_PAGER: 'cat' })]).toEqual([null, null]);
  });
});
