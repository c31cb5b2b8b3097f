/** The places in the stores that send queries: those in the code, and those that a test has reached. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Collection } from 'mongodb';

const METHODS = [
  'find',
  'findOne',
  'findOneAndUpdate',
  'findOneAndReplace',
  'findOneAndDelete',
  'replaceOne',
  'updateOne',
  'updateMany',
  'deleteOne',
  'deleteMany',
  'aggregate',
  'countDocuments',
  'distinct',
  'bulkWrite',
] as const;

/** The compiled code, as it runs. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** `find` of an array takes a function. */
const CALL = new RegExp(`\\.(${METHODS.join('|')})\\((?!\\s*\\()`, 'g');
/** A query that names its documents is served by the index that every collection has. */
const BY_ID = /^\s*\{\s*_id\b/;

/** Every place of the stores that sends a query, as `src/leads/store/leads.js:12 find`, but those that name an `_id`. */
export function storeSites(): string[] {
  const files = globSync('src/**/store/**/*.js', { cwd: ROOT }).sort();
  return files.flatMap((file) => {
    const code = readFileSync(`${ROOT}${file}`, 'utf8');
    return [...code.matchAll(CALL)].flatMap(({ 0: call, 1: method = '', index }) => {
      if (BY_ID.test(code.slice(index + call.length))) return [];
      return [`${file}:${code.slice(0, index).split('\n').length} ${method}`];
    });
  });
}

/** Notes from now on which places send queries, until `stop`. */
export function watchSites(): { reached: Set<string>; stop(): void } {
  const reached = new Set<string>();
  const methods = Collection.prototype as unknown as Record<
    string,
    (...given: unknown[]) => unknown
  >;
  const originals = METHODS.map((name) => [name, methods[name]!] as const);
  for (const [name, original] of originals)
    methods[name] = function (this: unknown, ...given) {
      const [, file = '', line = ''] = /dist\/(src\/[^?:]+)[^:]*:(\d+)/.exec(stack()) ?? [];
      reached.add(`${file}:${line} ${name}`);
      return original.apply(this, given);
    };
  return {
    reached,
    stop() {
      for (const [name, original] of originals) methods[name] = original;
    },
  };
}

const stack = (): string => new Error().stack ?? '';
