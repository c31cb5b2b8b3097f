/**
 * No import lies on a cycle, imports of types included; a room imports lower layers and what `rooms.mjs` lists with it,
 * and nothing is listed there in vain.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import process from 'node:process';
import ts from 'typescript';
import { forbiddenTo, LAYERS, roomOf } from './rooms.mjs';

process.chdir(join(import.meta.dirname, '..'));

/** Each source with the sources that it imports. */
function readImports() {
  const files = ['src', 'activities', 'workflows', 'cli'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
  const known = new Set(files);
  return new Map(
    files.toSorted().map((file) => {
      const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true);
      const paths = importedFiles.flatMap(({ fileName }) =>
        ['.ts', '.tsx'].map((end) => join(dirname(file), fileName).replace(/\.js$/, end)),
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

const say = (text) => void process.stderr.write(`${text}\n`);

/** For each import that is on a cycle, the shortest cycle with it; each once. */
function cyclesOf(graph) {
  const lists = components(graph);
  const listOf = new Map(lists.flatMap((list, n) => list.map((file) => [file, n])));
  const ways = [...graph].flatMap(([file, paths]) =>
    paths
      .filter((path) => listOf.has(file) && listOf.get(file) === listOf.get(path))
      .map((path) => wayBetween(graph, path, file)),
  );
  return [...new Map(ways.map((way) => [way.toSorted().join(), way])).values()];
}

const graph = readImports();
const cycles = cyclesOf(graph).toSorted((a, b) => a.length - b.length);
const arrows = new Map(
  [...graph].flatMap(([file, paths]) =>
    paths.map((path) => [`${roomOf(file)} -> ${roomOf(path)}`, { file, path }]),
  ),
);
const forbidden = [...arrows.values()].filter(({ file, path }) =>
  forbiddenTo(roomOf(file)).includes(roomOf(path)),
);
/** A room lists rooms that stand before it in its layer, and imports each of them. */
const unused = Object.values(LAYERS).flatMap((layer) =>
  Object.entries(layer).flatMap(([room, reasons], n, rooms) => {
    const before = rooms.slice(0, n).map(([earlier]) => earlier);
    return Object.keys(reasons)
      .filter((other) => !before.includes(other) || !arrows.has(`${room} -> ${other}`))
      .map((other) => [room, other]);
  }),
);
for (const way of cycles) say(`A cycle of imports: ${[...way, way[0]].join('\n    -> ')}`);
for (const { file, path } of forbidden)
  say(`${file} imports ${path}, which .ci/rooms.mjs does not allow to ${roomOf(file)}`);
for (const [room, other] of unused)
  say(`.ci/rooms.mjs lists ${other} with ${room}, which does not import it or stands above it`);
process.exitCode = cycles.length + forbidden.length + unused.length > 0 ? 1 : 0;
