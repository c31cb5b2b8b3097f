import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { HELP, readOptions } from './options.js';
import { PART_NAMES, partsOf } from './parts.js';

describe('options of the benchmark', () => {
  it('a whole run is three repetitions of 6 s', () => {
    expect(readOptions([])).toEqual({
      shape: { roles: 'one', seconds: 6, rounds: 3 },
      quick: false,
    });
  });

  it('--quick is one repetition of 3 s, and either can be set', () => {
    expect(readOptions(['--quick'])?.shape).toEqual({ roles: 'one', seconds: 3, rounds: 1 });
    expect(readOptions(['--quick', '--rounds', '2'])?.shape).toEqual({
      roles: 'one',
      seconds: 3,
      rounds: 2,
    });
  });

  it('--leads says how many leads the part portal stores', () => {
    expect(readOptions(['--leads', '10000'])?.shape).toEqual({
      roles: 'one',
      seconds: 6,
      rounds: 3,
      leads: 10_000,
    });
    expect(() => readOptions(['--leads', '5'])).toThrow(
      '--leads must be a whole number from 1000 to 10000000, not "5".',
    );
  });

  it('--roles names the shape of the service', () => {
    expect(readOptions(['--roles', 'apart'])?.shape.roles).toBe('apart');
    expect(() => readOptions(['--roles', 'many'])).toThrow(
      '--roles must be one, together or apart, not "many".',
    );
  });

  it('--service names the entry file of another version, from the current folder', () => {
    expect(readOptions(['--service', 'dist/src/main.js'])?.service).toBe(
      resolve('dist/src/main.js'),
    );
    expect(readOptions([])).not.toHaveProperty('service');
  });

  it('--flames names the folder of flame graphs', () => {
    expect(readOptions(['--flames', 'docs/images'])?.flames).toBe('docs/images');
    expect(readOptions([])).not.toHaveProperty('flames');
    expect(() => readOptions(['--flames', ''])).toThrow('--flames must name a folder');
  });

  it('--merge names files of runs, two or more', () => {
    expect(readOptions(['--merge', 'a.json, b.json'])?.merge).toEqual(['a.json', 'b.json']);
    for (const list of ['a.json', 'a.json,', ''])
      expect(() => readOptions(['--merge', list])).toThrow(/--merge must name two files/);
  });

  it('the part portal is planned for at most 6 minutes', () => {
    const [portal] = partsOf(['portal'], false);
    expect(portal?.takes({ seconds: 6, rounds: 3 })).toBeLessThan(360);
  });

  it('--only names parts, with commas between', () => {
    expect(readOptions(['--only', 'lone, pings'])?.only).toEqual(['lone', 'pings']);
    expect(() => readOptions(['--only', 'lone,speed'])).toThrow(/intake, arrivals.*not "speed"/);
  });

  it('shows the valid options', () => {
    expect(() => readOptions(['--rounds', '0'])).toThrow(
      '--rounds must be a whole number from 1 to 100, not "0".',
    );
    expect(() => readOptions(['--fast'])).toThrow(/--fast/);
  });

  it('the help names every option and part', () => {
    expect(readOptions(['--help'])).toBeNull();
    for (const word of [
      '--quick',
      '--roles',
      '--merge',
      '--leads',
      '--json',
      '--chart',
      '--markdown',
      ...PART_NAMES,
    ])
      expect(HELP).toContain(word);
  });
});

describe('parts of a run', () => {
  const names = (only: string[] | undefined, quick: boolean) =>
    partsOf(only, quick).map(({ name }) => name);

  it('--quick leaves out growth and memory alone', () => {
    const [all, quick] = [names(undefined, false), names(undefined, true)];
    expect(all.filter((name) => !quick.includes(name))).toEqual(['memory', 'growth']);
  });

  it('long parts run only when they are named', () => {
    const all = names(undefined, false);
    expect(all).not.toContain('sick-buyer');
    expect(all.filter((name) => name === 'pings')).toHaveLength(1);
    expect(names(['sick-buyer', 'pings'], true)).toEqual(['pings', 'pings', 'sick-buyer']);
  });

  it('a quick run is planned for at most 4 minutes, a whole one for 20', () => {
    const planned = (quick: boolean, shape: { seconds: number; rounds: number }) =>
      partsOf(undefined, quick).reduce((sum, part) => sum + part.takes(shape), 0);
    expect(planned(true, { seconds: 3, rounds: 1 })).toBeLessThan(240);
    expect(planned(false, { seconds: 6, rounds: 3 })).toBeLessThan(1_200);
  });
});
