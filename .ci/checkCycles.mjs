/**
 * No cycle of imports, those of types counted too, and no import of a later room. What there is today stands in
 * `importsAllowed.json`, which can only shrink: `node .ci/checkCycles.mjs --shrink` takes out what is gone.
 * `--list` prints every cycle: for each import that is on one, the shortest.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import process from 'node:process';
import ts from 'typescript';
import { ROOMS, roomOf } from './rooms.mjs';

process.chdir(join(import.meta.dirname, '..'));
const ALLOWED = '.ci/importsAllowed.json';

/** Each source with the sources that it imports. */
export function readImports() {
  const files = ['src', 'activities', 'workflows', 'cli'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`),
  );
  const known = new Set(files);
  return new Map(
    files.toSorted().map((file) => {
      const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true);
      const paths = importedFiles.map(({ fileName }) =>
        join(dirname(file), fileName).replace(/\.js$/, '.ts'),
      );
      return [file, [...new Set(paths)].filter((path) => known.has(path))];
    }),
  );
}

/** The files that reach each other, in lists (Tarjan): each list of two or more holds cycles. */
function components(graph) {
  const [seen, low, onStack, stack, found] = [new Map(), new Map(), new Set(), [], []];
  const visit = (node) => {
    seen.set(node, seen.size);
    low.set(node, seen.get(node));
    stack.push(node);
    onStack.add(node);
    for (const next of graph.get(node)) {
      if (!seen.has(next)) visit(next);
      if (onStack.has(next)) low.set(node, Math.min(low.get(node), low.get(next)));
    }
    if (low.get(node) !== seen.get(node)) return;
    const members = stack.splice(stack.indexOf(node));
    for (const member of members) onStack.delete(member);
    if (members.length > 1 || graph.get(node).includes(node)) found.push(members);
  };
  for (const node of graph.keys()) if (!seen.has(node)) visit(node);
  return found;
}

/** The shortest way from one file to another. */
function wayBetween(graph, from, to) {
  const before = new Map([[from, null]]);
  for (const node of before.keys()) {
    if (node === to) break;
    for (const next of graph.get(node)) if (!before.has(next)) before.set(next, node);
  }
  const way = [];
  for (let at = to; at; at = before.get(at)) way.unshift(at);
  return way;
}

const tell = (text) => void process.stdout.write(`${text}\n`);
const say = (text) => void process.stderr.write(`${text}\n`);

const SHOWN = 3;

/** The shortest of new cycles, and what all of them go by: one import may close thousands. */
function sayCycles(cycles) {
  if (cycles.length === 0) return;
  const steps = cycles.map(
    (cycle) => new Set(cycle.slice(1).map((to, n) => `${cycle[n]} -> ${to}`)),
  );
  const common = [...steps[0]].filter((step) => steps.every((all) => all.has(step)));
  say(
    `${cycles.length} imports are on new cycles${cycles.length > SHOWN ? '; the shortest' : ''}:`,
  );
  for (const cycle of cycles.toSorted((a, b) => a.length - b.length).slice(0, SHOWN))
    say(`    ${cycle.join('\n      -> ')}`);
  if (common.length > 0 && cycles.length > 1) say(`All go by ${common.join(', ')}`);
}

const rankOf = (file) => {
  const rank = ROOMS.indexOf(roomOf(file));
  if (rank < 0) throw new Error(`${file} is in no room of .ci/rooms.mjs`);
  return rank;
};

/** `{ cycles, upward }`: imports that are on a cycle, and those of later rooms, by the file that has them. */
export function readFaults(graph = readImports()) {
  const lists = components(graph);
  const listOf = new Map(lists.flatMap((list, n) => list.map((file) => [file, n])));
  const select = (wanted) =>
    Object.fromEntries(
      [...graph].flatMap(([file, paths]) => {
        const found = paths.filter((path) => wanted(file, path)).toSorted();
        return found.length > 0 ? [[file, found]] : [];
      }),
    );
  return {
    lists,
    cycles: select((file, path) => listOf.has(file) && listOf.get(file) === listOf.get(path)),
    upward: select((file, path) => rankOf(file) < rankOf(path)),
  };
}

/** As `prettier` would have it. */
export async function write(allowed) {
  const { format, resolveConfig } = await import('prettier');
  const options = { ...(await resolveConfig(ALLOWED)), filepath: ALLOWED };
  writeFileSync(ALLOWED, await format(JSON.stringify(allowed), options));
}

async function main() {
  const graph = readImports();
  const { lists, ...faults } = readFaults(graph);
  const allowed = JSON.parse(readFileSync(ALLOWED, 'utf8'));
  const count = (table) => Object.values(table).flat().length;
  const pairs = (table) => Object.entries(table).flatMap(([a, list]) => list.map((b) => [a, b]));
  const has = (table, [a, b]) => table[a]?.includes(b) ?? false;
  const cycleOf = ([a, b]) => [a, ...wayBetween(graph, b, a)];
  let status = 0;
  for (const kind of ['cycles', 'upward']) {
    const added = pairs(faults[kind]).filter((pair) => !has(allowed[kind], pair));
    if (added.length > 0) status = 1;
    if (kind === 'cycles') sayCycles(added.map(cycleOf));
    else for (const [a, b] of added) say(`${a} imports ${b}, of a later room (see .ci/rooms.mjs)`);
    const gone = pairs(allowed[kind]).filter((pair) => !has(faults[kind], pair));
    if (gone.length > 0 && process.argv[2] !== '--shrink') {
      status = 1;
      say(`${ALLOWED}: ${gone.length} of ${kind} are gone: node .ci/checkCycles.mjs --shrink`);
    }
    allowed[kind] = Object.fromEntries(
      Object.entries(allowed[kind]).flatMap(([a, list]) => {
        const left = list.filter((b) => has(faults[kind], [a, b]));
        return left.length > 0 ? [[a, left]] : [];
      }),
    );
  }
  if (process.argv[2] === '--shrink') await write(allowed);
  if (process.argv[2] === '--list') {
    const cycles = pairs(faults.cycles).map((pair) => wayBetween(graph, pair[1], pair[0]));
    const key = (way) => way.toSorted().join();
    const each = [...new Map(cycles.map((way) => [key(way), way])).values()];
    for (const way of each.toSorted((a, b) => a.length - b.length))
      tell(way.length === 2 ? `${way[0]} <-> ${way[1]}` : `${way.join(' -> ')} ->`);
  }
  tell(
    `${count(faults.cycles)} imports on cycles among ${lists.flat().length} files in ${lists.length} knots (${lists.map((list) => list.length).join(', ')}); ${count(faults.upward)} imports of later rooms`,
  );
  process.exitCode = status;
}
if (process.argv[1] === import.meta.filename) await main();
