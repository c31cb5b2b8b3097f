/** Rules for the source that no test of behavior could check everywhere. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from '@jest/globals';
import { readRoot, ROOT } from '../deploy/repository.js';

const FOLDERS = ['src', 'activities', 'workflows', 'cli'];
const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`),
);

/** Each place where a node matches, as `file: its text`. */
function placesOf(
  wanted: (node: ts.Node) => boolean,
  sources: readonly (readonly [file: string, text: string])[],
): string[] {
  return sources.flatMap(([file, text]) => {
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      if (wanted(node)) found.push(`${file}: ${node.getText()}`);
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
    return found;
  });
}

const sources = files.map((file) => [file, readRoot(file)] as const);

const isNamed = (node: ts.Node, names: readonly string[]): boolean =>
  ts.isIdentifier(node) && names.includes(node.text);

/** `eval(…)`, `new Function(…)`, `Function(…)` and timers with a string as their code. */
function evaluates(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return false;
  const [first] = node.arguments ?? [];
  const isText =
    first !== undefined && (ts.isStringLiteralLike(first) || ts.isTemplateExpression(first));
  return (
    isNamed(node.expression, ['eval', 'Function']) ||
    (isNamed(node.expression, ['setTimeout', 'setInterval']) && isText)
  );
}

/** Modules that run strings as code, or deserialize objects of any class. */
function loadsForbidden(node: ts.Node): boolean {
  if (!ts.isStringLiteralLike(node)) return false;
  return ['node:vm', 'vm', 'node:v8', 'v8', 'node:repl', 'repl'].includes(node.text);
}

/** `exec` and `execSync` pass a command line to a shell, as does any call with `shell` set. */
function runsShell(node: ts.Node): boolean {
  if (ts.isImportSpecifier(node))
    return isNamed(node.propertyName ?? node.name, ['exec', 'execSync']);
  if (!ts.isPropertyAssignment(node) && !ts.isShorthandPropertyAssignment(node)) return false;
  return isNamed(node.name, ['shell']);
}

const importsProcesses = (node: ts.Node): boolean =>
  ts.isImportDeclaration(node) && /child_process/.test(node.moduleSpecifier.getText());

describe('the source', () => {
  it('is read whole', () => {
    expect(files.length).toBeGreaterThan(500);
  });

  it('evaluates no text as code', () => {
    expect(placesOf(evaluates, sources)).toEqual([]);
    // Only for heap sizes; no object is deserialized.
    expect(placesOf(loadsForbidden, sources)).toEqual(["src/app/keepHeapSmall.ts: 'node:v8'"]);
    expect(readRoot('src/app/keepHeapSmall.ts')).not.toContain('deserialize');
  });

  it('starts programs only in the embedded stack and the command line, by a list of arguments', () => {
    const starting = placesOf(importsProcesses, sources).map((place) => place.split(':', 1)[0]);
    expect(starting.filter((file) => !/^(src\/embedded|cli)\//.test(file!))).toEqual([]);
    // The pager is a command line that its user has put into PAGER.
    expect(placesOf(runsShell, sources)).toEqual(['cli/output/pager.ts: shell: true']);
  });

  it('writes HTML only in files that escape', () => {
    const writes = (node: ts.Node): boolean =>
      ts.isPropertyAccessExpression(node) &&
      isNamed(node.name, ['innerHTML', 'outerHTML', 'insertAdjacentHTML']);
    expect(placesOf(writes, sources)).toEqual([]);
    const pages = sources.filter(([, text]) => /text\/html/.test(text)).map(([file]) => file);
    expect(pages.toSorted()).toEqual(
      [
        'src/api/endpoints/confirm.ts',
        'src/api/endpoints/docs.ts',
        'src/api/endpoints/docsFiles.ts',
        'src/web/funnels/endpoints.ts',
        'src/web/funnels/headers.ts',
        'src/web/funnels/submitEndpoint.ts',
        'src/web/server/documentHeaders.ts',
        'src/web/server/pages/home.ts',
        'src/web/server/pages/pageEndpoint.ts',
      ].toSorted(),
    );
  });

  it('compiles templates in one file, from texts of the source alone', () => {
    const compiling = sources.filter(([, text]) => /from 'eta'/.test(text)).map(([file]) => file);
    expect(compiling).toEqual(['src/web/render/template.ts']);
    const computed = (node: ts.Node): boolean =>
      ts.isCallExpression(node) &&
      isNamed(node.expression, ['template']) &&
      !ts.isStringLiteralLike(node.arguments[0] ?? node);
    expect(placesOf(computed, sources)).toEqual([]);
  });

  it('fails the check for each of these', () => {
    const bad = `
      import { exec as run } from 'node:child_process';
      import vm from 'node:vm';
      eval(a); new Function('x'); setTimeout('x', 1); spawn('x', [], { shell: true });`;
    const source = [['bad.ts', bad]] as const;
    expect(placesOf(evaluates, source)).toHaveLength(3);
    expect(placesOf(loadsForbidden, source)).toHaveLength(1);
    expect(placesOf(runsShell, source)).toEqual(['bad.ts: exec as run', 'bad.ts: shell: true']);
  });
});
