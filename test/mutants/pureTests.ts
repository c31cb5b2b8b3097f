import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** What a test imports, itself or through a harness, that needs a server, a process or a connection. */
const IMPURE =
  /^(?:mongodb|koa|undici|playwright-core|@temporalio\/.*|(?:node:)?(?:http|https|net|tls|dgram|fs|fs\/promises|child_process|cluster|worker_threads))$/;

/**
 * Which of the compiled test files are pure, and which compiled sources each loads, itself or through others.
 * A test is pure when neither it nor a harness that it imports reaches for a server; what the product imports does not
 * count, because a pure test does not call it.
 * @param folder with `src` and `test` below it; paths are relative to it
 */
export function findPureTests(folder: string, tests: readonly string[]): Map<string, Set<string>> {
  const importsOf = importReader(folder);
  const found = new Map<string, Set<string>>();
  for (const test of tests) {
    const loaded = new Set([test]);
    // A set hands out what is added to it while it is read.
    for (const file of loaded) for (const next of importsOf(file).files) loaded.add(next);
    const own = [...loaded].filter((file) => file.startsWith('test/'));
    const isPure = !own.some((file) => importsOf(file).packages.some((name) => IMPURE.test(name)));
    if (isPure) found.set(test, loaded);
  }
  return found;
}

interface Imports {
  files: string[];
  packages: string[];
}

/** Reads each file once. */
function importReader(folder: string): (file: string) => Imports {
  const known = new Map<string, Imports>();
  return (file) => {
    const before = known.get(file);
    if (before) return before;
    const { importedFiles } = ts.preProcessFile(readFileSync(join(folder, file), 'utf8'));
    const names = importedFiles.map(({ fileName }) => fileName);
    const imports = {
      files: names
        .filter((name) => name.startsWith('.'))
        .map((name) => join(dirname(file), name))
        .filter((path) => path.endsWith('.js') && existsSync(join(folder, path))),
      packages: names.filter((name) => !name.startsWith('.')),
    };
    known.set(file, imports);
    return imports;
  };
}
