import { describe, expect, it } from '@jest/globals';
import { readOptions } from './options.js';

describe('options of a chaos run', () => {
  it('kills 200 at 100 leads a second by default, with a new seed each time', () => {
    const options = readOptions([]);
    expect(options).toMatchObject({ kills: 200, rate: 100, seconds: 700, keep: false });
    expect(options?.layout).toBe('together');
    expect(options?.seed).not.toBe(readOptions([])?.seed);
  });

  it('spaces kills by the time given, or takes the time that the kills need', () => {
    expect(readOptions(['--seconds', '70'])).toMatchObject({ kills: 20, seconds: 70 });
    expect(readOptions(['--kills', '20'])).toMatchObject({ kills: 20, seconds: 70 });
    expect(readOptions(['--kills', '5', '--seconds', '60'])).toMatchObject({
      kills: 5,
      seconds: 60,
    });
  });

  it('accepts all other options', () => {
    const args = [
      '--rate',
      '150',
      '--seed',
      'x',
      '--json',
      'out.json',
      '--planted',
      'all',
      '--keep',
      '--roles',
      'apart',
    ];
    const rest = { rate: 150, seed: 'x', json: 'out.json', planted: 'all', keep: true };
    expect(readOptions(args)).toMatchObject({ ...rest, layout: 'apart' });
    const some = ['--faults', 'kill,stop', '--campaigns', 'capped'];
    expect(readOptions(some)).toMatchObject({ kinds: ['kill', 'stop'], campaigns: ['capped'] });
  });

  it('runs the scenarios of mutants without their faults, when they are named', () => {
    const options = readOptions(['--planted', 'all', '--control']);
    expect(options).toMatchObject({ planted: 'all', control: true });
    expect(readOptions(['--planted', 'all'])?.control).toBe(false);
    expect(() => readOptions(['--control'])).toThrow('--control needs --planted');
  });

  it('measures a scenario as it is, or shortened', () => {
    expect(readOptions(['--scenario', 'all'])?.scenario).toEqual({ name: 'all' });
    const args = ['--scenario', 'parked', '--seconds', '30', '--rate', '20', '--leads', '500'];
    const choice = { name: 'parked', seconds: 30, rate: 20, leads: 500 };
    expect(readOptions([...args, '--minutes', '60'])?.scenario).toEqual({ ...choice, minutes: 60 });
    expect(() => readOptions(['--scenario', 'sunshine'])).toThrow(
      '--scenario may be buyer-refuses, buyer-hangs, parked, outages, healthy or all, not "sunshine".',
    );
  });

  it('names unknown options', () => {
    expect(() => readOptions(['--kills', 'many'])).toThrow(
      '--kills must be a whole number from 0 to 100000, not "many".',
    );
    expect(() => readOptions(['--rate', '0'])).toThrow('--rate must be a whole number from 1 to');
    expect(() => readOptions(['--faults', 'kill,flood'])).toThrow('not "flood"');
    expect(() => readOptions(['--roles', 'alone'])).toThrow(
      '--roles may be together or apart, not "alone".',
    );
    expect(() => readOptions(['--kilometres', '1'])).toThrow("Unknown option '--kilometres'");
  });

  it('shows only the help when that is requested', () => {
    expect(readOptions(['--help'])).toBeNull();
  });
});
