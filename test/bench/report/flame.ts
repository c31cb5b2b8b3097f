/** A CPU profile of V8 as a picture: callers above what they call, as wide as their share of the time. SVG. */

/** What is needed of a `.cpuprofile` file; times are microseconds. */
export interface CpuProfile {
  nodes: readonly ProfileNode[];
  /** The node that ran at each sample. */
  samples: readonly number[];
  timeDeltas: readonly number[];
}

interface ProfileNode {
  id: number;
  callFrame: CallFrame;
  children?: readonly number[];
}

interface CallFrame {
  functionName: string;
  url: string;
}

const KINDS = {
  own: 'Leadwire',
  mongodb: 'MongoDB driver',
  temporal: 'Temporal SDK',
  node: 'Node.js',
  library: 'other libraries',
  gc: 'garbage collection',
} as const;
type Kind = keyof typeof KINDS;

interface Frame {
  label: string;
  kind: Kind;
  /** Microseconds, with those of its children. */
  total: number;
  children: Map<string, Frame>;
}

const WIDTH = 1200;
const ROW = 18;
const TOP = 64;
/** Rows below this depth are left out: boxes there are too narrow to read. */
const DEPTH_MAX = 24;
/** Boxes narrower than this are left out, in pixels. */
const NARROW = 2;
/** The width of a character in a label, in pixels, rounded up. */
const CHARACTER = 6.4;

const STYLE = `
    svg { background: #fff; font: 11px system-ui, sans-serif; }
    text { fill: #222; } .title { font-size: 16px; font-weight: 600; }
    rect { stroke: #fff; stroke-width: 0.5; }
    .own { fill: #9ecae1; } .mongodb { fill: #a1d99b; } .temporal { fill: #bcbddc; }
    .node { fill: #d9d9d9; } .library { fill: #fdd0a2; } .gc { fill: #fcaeae; }`;

/**
 * @param title what was profiled
 * @returns the picture; functions of one library that call each other are one box
 */
export function flameOf(profile: CpuProfile, title: string): string {
  const root = treeOf(profile);
  const depth = Math.min(depthOf(root, WIDTH / root.total), DEPTH_MAX);
  const height = TOP + depth * ROW + 8;
  const seconds = (root.total / 1e6).toFixed(1);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `  <title>${escaped(title)}</title>`,
    `  <style>${STYLE}\n  </style>`,
    `  <text x="4" y="22" class="title">${escaped(title)}: ${seconds} s of CPU</text>`,
    ...legend(root),
    ...drawChildren(root, 0, 0, WIDTH / root.total),
    '</svg>',
    '',
  ].join('\n');
}

/** All time that is not idle, by caller and called. */
function treeOf({ nodes, samples, timeDeltas }: CpuProfile): Frame {
  const own = new Map<number, number>();
  samples.forEach((id, n) => own.set(id, (own.get(id) ?? 0) + (timeDeltas[n] ?? 0)));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const root: Frame = { label: '', kind: 'node', total: 0, children: new Map() };
  const add = (node: ProfileNode, parent: Frame): number => {
    if (node.callFrame.functionName === '(idle)') return 0;
    const named = describe(node.callFrame);
    const isSame = named === null || named.label === parent.label;
    const frame = isSame ? parent : childOf(parent, named);
    const below = (node.children ?? []).map((id) => byId.get(id)).filter((child) => !!child);
    const total = below.reduce((sum, child) => sum + add(child, frame), own.get(node.id) ?? 0);
    if (!isSame) frame.total += total;
    return total;
  };
  const [first] = nodes;
  if (first) root.total = add(first, root);
  return root;
}

function childOf(parent: Frame, { label, kind }: Pick<Frame, 'label' | 'kind'>): Frame {
  const known = parent.children.get(label);
  if (known) return known;
  const frame: Frame = { label, kind, total: 0, children: new Map() };
  parent.children.set(label, frame);
  return frame;
}

/** The box of a function; null for the root of all. */
function describe({ functionName, url }: CallFrame): Pick<Frame, 'label' | 'kind'> | null {
  if (functionName === '(root)') return null;
  if (functionName === '(garbage collector)') return { label: 'garbage collection', kind: 'gc' };
  const name = functionName === '' ? '(anonymous)' : functionName;
  const library = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (library !== undefined) return { label: library, kind: kindOf(library) };
  const own = /\/dist\/(?:src\/)?(.+)\.js/.exec(url)?.[1];
  if (own !== undefined) return { label: `${own} ${name}`, kind: 'own' };
  if (url.startsWith('node:')) return { label: url, kind: 'node' };
  if (url.includes('workflow-bundle')) return { label: `workflow ${name}`, kind: 'own' };
  return { label: name, kind: 'node' };
}

function kindOf(library: string): Kind {
  if (library === 'mongodb' || library === 'bson') return 'mongodb';
  return library.startsWith('@temporalio/') ? 'temporal' : 'library';
}

function depthOf({ children }: Frame, scale: number): number {
  const shown = [...children.values()].filter(({ total }) => total * scale >= NARROW);
  return shown.length === 0 ? 0 : 1 + Math.max(...shown.map((child) => depthOf(child, scale)));
}

function drawChildren(parent: Frame, left: number, depth: number, scale: number): string[] {
  if (depth >= DEPTH_MAX) return [];
  let x = left;
  return [...parent.children.values()]
    .toSorted((a, b) => b.total - a.total)
    .flatMap((frame) => {
      const width = frame.total * scale;
      if (width < NARROW) return [];
      const at = x;
      x += width;
      const below = drawChildren(frame, at, depth + 1, scale);
      return [...drawBox(frame, at, depth, width), ...below];
    });
}

function drawBox({ label, kind, total }: Frame, x: number, depth: number, width: number): string[] {
  const y = TOP + depth * ROW;
  const share = `${((100 * width) / WIDTH).toFixed(1)} %, ${(total / 1e3).toFixed(0)} ms`;
  const room = Math.floor((width - 6) / CHARACTER);
  const short = label.length <= room ? label : `${label.slice(0, Math.max(0, room - 1))}…`;
  return [
    `  <rect class="${kind}" x="${fixed(x)}" y="${y}" width="${fixed(width)}" height="${ROW}"><title>${escaped(label)}: ${share}</title></rect>`,
    ...(room < 4 ? [] : [`  <text x="${fixed(x + 3)}" y="${y + 13}">${escaped(short)}</text>`]),
  ];
}

/** The kinds with the share of the time that their own code takes. */
function legend(root: Frame): string[] {
  const selves = new Map<Kind, number>();
  const count = (frame: Frame): void => {
    const children = [...frame.children.values()];
    const below = children.reduce((sum, { total }) => sum + total, 0);
    selves.set(frame.kind, (selves.get(frame.kind) ?? 0) + frame.total - below);
    children.forEach(count);
  };
  count(root);
  const column = WIDTH / Object.keys(KINDS).length;
  return (Object.keys(KINDS) as Kind[]).flatMap((kind, n) => {
    const share = Math.round((100 * (selves.get(kind) ?? 0)) / root.total);
    const x = 4 + n * column;
    return [
      `  <rect class="${kind}" x="${fixed(x)}" y="36" width="14" height="14"/>`,
      `  <text x="${fixed(x + 19)}" y="47">${KINDS[kind]} ${share} %</text>`,
    ];
  });
}

const fixed = (value: number): string => value.toFixed(1);

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
