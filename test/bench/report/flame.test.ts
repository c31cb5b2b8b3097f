import { describe, expect, it } from '@jest/globals';
import { flameOf, type CpuProfile } from './flame.js';

const frame = (id: number, functionName: string, url = '', children: number[] = []) => ({
  id,
  callFrame: { functionName, url },
  children,
});

/** 6 s, of which 2 are idle. */
const PROFILE: CpuProfile = {
  nodes: [
    frame(1, '(root)', '', [2, 3, 4]),
    frame(2, '(idle)'),
    frame(3, 'settle', 'file:///app/dist/src/distribution/settle.js', [5]),
    frame(4, '(garbage collector)'),
    frame(5, 'updateOne', 'file:///app/node_modules/mongodb/lib/collection.js', [6]),
    frame(6, 'executeOperation', 'file:///app/node_modules/mongodb/lib/operation.js', [7]),
    frame(7, 'serialize<T>', 'file:///app/node_modules/bson/lib/bson.cjs'),
  ],
  samples: [2, 3, 4, 5, 6, 7],
  timeDeltas: [2e6, 1e6, 5e5, 5e5, 1e6, 1e6],
};

describe('a flame graph', () => {
  const svg = flameOf(PROFILE, 'intake & more');
  const box = (label: string): string[] =>
    svg.split('\n').filter((line) => line.includes(`<title>${label}:`));

  it('shows the time that is not idle, and escapes its title', () => {
    expect(svg).toContain('intake &amp; more: 4.0 s of CPU');
    expect(svg).not.toContain('idle');
  });

  it('is as wide as the share of a function with all that it calls', () => {
    expect(box('distribution/settle settle')[0]).toContain('width="1050.0"');
    expect(box('distribution/settle settle')[0]).toContain('87.5 %, 3500 ms');
    expect(box('garbage collection')[0]).toContain('12.5 %, 500 ms');
  });

  it('draws functions of one library that call each other as one box, below their caller', () => {
    expect(box('mongodb')).toHaveLength(1);
    expect(box('mongodb')[0]).toMatch(/x="0\.0" y="82" width="750\.0"/);
    expect(box('bson')[0]).toContain('y="100"');
    expect(svg).not.toContain('serialize');
  });

  it('states the share of each kind of code', () => {
    expect(svg).toContain('Leadwire 25 %');
    expect(svg).toContain('MongoDB driver 63 %');
    expect(svg).toContain('garbage collection 13 %');
  });

  it('leaves out boxes that are too narrow to see', () => {
    const samples = [...PROFILE.samples, 3];
    const timeDeltas = [...PROFILE.timeDeltas.slice(0, 5), 100, 1e6];
    expect(flameOf({ ...PROFILE, samples, timeDeltas }, 'x')).not.toContain('<title>bson:');
  });
});
