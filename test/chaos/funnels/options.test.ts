import { describe, expect, it } from '@jest/globals';
import { readFunnelOptions } from './options.js';

describe('options of a proof of funnels', () => {
  it('kills 200 processes with a new seed each time, by default', () => {
    const options = readFunnelOptions([]);
    expect(options).toMatchObject({ kills: 200, visitors: 20, layout: 'together', keep: false });
    expect(options?.seed).not.toBe(readFunnelOptions([])?.seed);
  });

  it('accepts all other options, and shows the help', () => {
    const args =
      '--kills 8 --visitors 4 --seed x --planted consents_lost,keys_forgotten --json o.json --keep --roles apart';
    expect(readFunnelOptions(args.split(' '))).toEqual({
      kills: 8,
      visitors: 4,
      seed: 'x',
      layout: 'apart',
      planted: ['consents_lost', 'keys_forgotten'],
      json: 'o.json',
      keep: true,
    });
    expect(readFunnelOptions(['--help'])).toBeNull();
  });

  it.each([
    [['--kills', '-1'], '--kills'],
    [['--visitors', '0'], '--visitors'],
    [['--planted', 'constructor'], '--planted'],
    [['--roles', 'constructor'], '--roles'],
    [['--unknown'], '--unknown'],
  ])('refuses %j, naming the option', (args, named) => {
    expect(() => readFunnelOptions(args)).toThrow(named);
  });
});
