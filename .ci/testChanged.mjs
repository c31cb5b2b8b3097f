/**
 * Runs the tests that a change can touch, by imports, the nearest first, for about a minute:
 * `npm run test:changed -- [--since REV | FILE …] [--all] [--list]`. The change is what is not committed; with `--since`, all
 * that has come since that commit; or the files that are named. `--all` sets no limit, `--list` names the files only.
 *
 * The whole service imports nearly everything, and so does each test that starts it. So a way from a test to a changed
 * module does not count when it leads through wiring: a module that reaches a large part of the tree. Tests that only such
 * a way leads to run if they lie in the folder of the changed module. `npm test` runs the others.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path/posix';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { levelOf } from './levels.mjs';
import { secondsOf } from './durations.mjs';

process.chdir(join(import.meta.dirname, '..'));

const WORKERS = 3;
/** A module that reaches more than this share of the compiled files is wiring. */
const WIRING = 0.1;
/** Of all workers together: a minute, with the start of the servers. */
const LIMIT_S = 55 * WORKERS;
/** The other levels take minutes. */
const LEVELS = new Set(['main', 'tools', 'pages', 'load']);
const IMPORTED = /['"](\.{1,2}\/[\w./-]+\.js)['"]/g;

const say = (text) => void process.stderr.write(`${text}\n`);

/** Ends with what is wrong and what would be right. */
function refuse(fault) {
  say(`${fault}\nUsage: npm run test:changed -- [--since REV | FILE …] [--all] [--list]`);
  process.exit(1);
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        since: { type: 'string' },
        all: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return refuse(error.message);
  }
}

const { values, positionals } = readArguments();

const git = (...args) =>
  execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);

/** Paths from the root of the repository. */
function readChanged() {
  const missing = positionals.find((path) => !existsSync(path));
  if (missing !== undefined)
    refuse(`${missing} does not exist: name files by their paths from the root of the repository.`);
  if (positionals.length > 0) return positionals.map((path) => normalize(path));
  if (values.since !== undefined) return changedSince(values.since);
  return [
    ...git('diff', '--name-only', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
}

function changedSince(revision) {
  try {
    return git('diff', '--name-only', revision, '--');
  } catch {
    return refuse(`${revision} is no commit, branch or tag of this repository.`);
  }
}

/** The compiled files with their texts, and with what each imports. */
function readGraph() {
  const hasSource = (name) => ['.ts', '.tsx'].some((end) => existsSync(name.replace(/\.js$/, end)));
  const files = readdirSync('dist', { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.js') && hasSource(name),
  );
  const known = new Set(files);
  const texts = new Map(files.map((name) => [name, readFileSync(join('dist', name), 'utf8')]));
  const importsOf = (name) =>
    [...texts.get(name).matchAll(IMPORTED)]
      .map(([, path]) => normalize(join(dirname(name), path)))
      .filter((path) => known.has(path) && path !== name);
  return { texts, imports: new Map(files.map((name) => [name, importsOf(name)])) };
}

/** The same arrows from their ends to their starts. */
function turned(graph) {
  const back = new Map([...graph.keys()].map((name) => [name, []]));
  for (const [name, others] of graph) for (const other of others) back.get(other).push(name);
  return back;
}

/** All that can be reached, each with its steps from the start; the way ends at what it does not pass. */
function stepsFrom(graph, starts, passes = () => true) {
  const steps = new Map(starts.map((name) => [name, 0]));
  for (const [name, count] of steps)
    if (count === 0 || passes(name))
      for (const next of graph.get(name)) if (!steps.has(next)) steps.set(next, count + 1);
  return steps;
}

/** The compiled files that a change is in. A file that is no module is in those that read it by its name. */
function targetsOf(changed, texts) {
  const modules = changed.map((path) => path.replace(/\.tsx?$/, '.js'));
  const others = changed.filter((path) => !/\.tsx?$/.test(path)).map((path) => basename(path));
  const readers = [...texts].filter(([, text]) => others.some((name) => text.includes(name)));
  return [...modules.filter((path) => texts.has(path)), ...readers.map(([name]) => name)];
}

/** The folder of tests that mirrors a source most closely. */
function folderOf(source) {
  if (!/^(src|cli|activities|workflows)\//.test(source)) return null;
  const parts = source
    .replace(/^src\//, '')
    .split('/')
    .slice(0, -1);
  // The pages of one kind of person have a folder of tests in the browser.
  if (source.startsWith('src/web/app/')) return `test/web/browser/${parts[2] ?? 'design'}`;
  if (source.startsWith('src/web/funnels/client/')) return 'test/web/browser/funnels';
  for (; parts.length > 0; parts.pop())
    if (existsSync(join('test', ...parts))) return join('test', ...parts);
  return null;
}

/** @returns the files of tests to run, the nearest first, and how many more the change can touch */
function choose(changed) {
  const { texts, imports } = readGraph();
  const isWiring = (name) => stepsFrom(imports, [name]).size > imports.size * WIRING;
  const targets = targetsOf(changed, texts);
  const importers = turned(imports);
  const near = stepsFrom(importers, targets, (name) => !isWiring(name));
  const any = stepsFrom(importers, targets);
  const folders = [...new Set(changed.map(folderOf).filter(Boolean))];
  const inFolder = (name) => folders.some((folder) => name.startsWith(`${folder}/`));
  const rank = (name) => near.get(name) ?? (inFolder(name) ? any.size : Infinity);
  const touched = [...imports.keys()]
    .filter((name) => name.endsWith('.test.js') && LEVELS.has(levelOf(name.slice('test/'.length))))
    .filter((name) => any.has(name) || rank(name) < Infinity)
    .toSorted((a, b) => rank(a) - rank(b) || secondsOf(a) - secondsOf(b));
  let seconds = 0;
  const chosen = touched.filter((name) => {
    if (values.all) return true;
    if (rank(name) === Infinity) return false;
    seconds += secondsOf(name);
    return seconds <= LIMIT_S;
  });
  return { chosen, more: touched.length - chosen.length };
}

const changed = readChanged();
if (changed.length === 0) {
  say('Nothing has changed. What has come since a commit: npm run test:changed -- --since REV');
  process.exit(0);
}
const { chosen, more } = choose(changed);
const seconds = chosen.reduce((sum, name) => sum + secondsOf(name), 0) / WORKERS;
say(
  `${chosen.length} files of tests, about ${Math.ceil(seconds) + 4} s. The change can touch ${more} more, ` +
    'from farther away: npm test runs those of its level.',
);
if (values.list) process.stdout.write(chosen.map((name) => `dist/${name}\n`).join(''));
if (values.list || chosen.length === 0) process.exit(0);
const paths = chosen.map((name) => join('dist', name));
const { status } = spawnSync(
  'jest',
  ['--config', '.ci/jest.config.mjs', '--runTestsByPath', ...paths],
  { stdio: 'inherit' },
);
process.exit(status ?? 1);
