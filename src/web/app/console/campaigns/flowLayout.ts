/** Places the nodes and bands of the flow picture, in pixels from its top. */
import type { FlowBand, FlowModel } from './flowModel.js';

export interface Placed {
  top: number;
  height: number;
}

export interface PlacedBand extends FlowBand {
  /** Of its upper edge at each end, and how thick it is. */
  start: number;
  end: number;
  thickness: number;
}

export interface FlowLayout {
  height: number;
  nodes: ReadonlyMap<string, Placed>;
  bands: PlacedBand[];
}

/** The height of all leads together. */
const WHOLE = 300;
/** Two lines of text fit. */
const NODE_MIN = 50;
const GAP = 10;
const BAND_MIN = 1.5;

/** A node is as high as its leads, and as its text; bands leave it in the order of the nodes they lead to. */
export function layOut({ columns, bands }: FlowModel): FlowLayout {
  const total = columns[0].reduce((sum, { leads }) => sum + leads, 0);
  const scale = total === 0 ? 0 : WHOLE / total;
  // A buyer's leads may be more than its band, where leads are sold to several.
  const into = (key: string): number =>
    bands.reduce((sum, { to, leads }) => (to === key ? sum + leads : sum), 0);
  const nodes = new Map<string, Placed>();
  const heights = columns.map((column, at) => {
    let top = 0;
    for (const { key, leads } of column) {
      const height = Math.max(NODE_MIN, (at === 0 ? leads : into(key)) * scale);
      nodes.set(key, { top, height });
      top += height + GAP;
    }
    return Math.max(0, top - GAP);
  });
  const used = new Map<string, number>();
  /** The next free place at that side of a node. */
  const take = (side: 'from' | 'to', key: string, thickness: number): number => {
    const place = `${side} ${key}`;
    const offset = used.get(place) ?? 0;
    used.set(place, offset + thickness);
    return (nodes.get(key)?.top ?? 0) + offset;
  };
  const order = new Map([...nodes.keys()].map((key, n) => [key, n]));
  const placed = bands
    .toSorted((a, b) => (order.get(a.to) ?? 0) - (order.get(b.to) ?? 0))
    .map((band) => {
      const thickness = Math.max(BAND_MIN, band.leads * scale);
      return {
        ...band,
        thickness,
        start: take('from', band.from, thickness),
        end: take('to', band.to, thickness),
      };
    });
  return { height: Math.max(...heights), nodes, bands: placed };
}

/** The outline of a band from one column to the next, in a drawing that is 100 wide. */
export function outlineOf({ start, end, thickness }: PlacedBand): string {
  const curve = (from: number, to: number): string => `C 50 ${from} 50 ${to}`;
  return [
    `M 0 ${start}`,
    `${curve(start, end)} 100 ${end}`,
    `L 100 ${end + thickness}`,
    `${curve(end + thickness, start + thickness)} 0 ${start + thickness}`,
    'Z',
  ].join(' ');
}
