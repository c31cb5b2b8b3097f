import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readRoot, ROOT } from '../deploy/repository.js';

interface Rooms {
  LAYERS: Record<string, Record<string, Record<string, string>>>;
}
const { LAYERS } = (await import(join(ROOT, '.ci/rooms.mjs'))) as Rooms;
const layers = Object.entries(LAYERS).map(([layer, rooms]) => [layer, Object.keys(rooms)]);

describe('the map of the rooms', () => {
  it('has the layers of .ci/rooms.mjs in the README, from the top', () => {
    const map: [string, string[]][] = [];
    for (const [, layer = '', room = ''] of readRoot('README.md').matchAll(
      /^\| (\w*) +\| `(?:src\/)?(\w+)` +\|/gm,
    )) {
      if (layer !== '') map.push([layer, []]);
      map.at(-1)?.[1].push(room);
    }
    expect(map).toEqual(layers.toReversed());
  });

  it('has them in the architecture, too', () => {
    for (const [layer, rooms] of layers)
      expect(readRoot('docs/architecture.md')).toMatch(
        new RegExp(String.raw`^${String(layer)} +${[rooms].flat().join(' +')} {2,}`, 'm'),
      );
  });

  it('gives a reason for each import within a layer', () => {
    const reasons = Object.values(LAYERS).flatMap((rooms) =>
      Object.values(rooms).flatMap((listed) => Object.values(listed)),
    );
    expect(reasons.filter((reason) => !/^[A-Z].+ .+\.$/.test(reason))).toEqual([]);
  });
});
