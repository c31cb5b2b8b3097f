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

type Source = readonly [file: string, text: string];

const parsed = new Map<string, ts.SourceFile>();
function treeOf([file, text]: Source): ts.SourceFile {
  const tree = parsed.get(text) ?? ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  parsed.set(text, tree);
  return tree;
}

/**
 * Each place where a node matches, as `file: its text`.
 * @param words in a file without any of these no node matches; one with a backslash may spell them in another way
 */
function placesOf(
  wanted: (node: ts.Node) => boolean,
  words: RegExp,
  sources: readonly Source[],
): string[] {
  const likely = sources.filter(([, text]) => text.includes('\\') || words.test(text));
  return likely.flatMap((source) => {
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      if (wanted(node)) found.push(`${source[0]}: ${node.getText()}`);
      ts.forEachChild(node, visit);
    };
    visit(treeOf(source));
    return found;
  });
}

const sources = files.map((file) => [file, readRoot(file)] as const);

const isNamed = (node: ts.Node, names: readonly string[]): boolean =>
  ts.isIdentifier(node) && names.includes(node.text);

const EVALUATING = /\b(?:eval|Function|setTimeout|setInterval)\b/;
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

const LOADING = /\b(?:vm|v8|repl)\b/;
/** Modules that run strings as code, or deserialize objects of any class. */
function loadsForbidden(node: ts.Node): boolean {
  if (!ts.isStringLiteralLike(node)) return false;
  return ['node:vm', 'vm', 'node:v8', 'v8', 'node:repl', 'repl'].includes(node.text);
}

const IN_SHELL = /\b(?:exec|execSync|shell)\b/;
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
    expect(placesOf(evaluates, EVALUATING, sources)).toEqual([]);
    // Only for heap sizes; no object is deserialized.
    expect(placesOf(loadsForbidden, LOADING, sources)).toEqual([
      "src/app/keepHeapSmall.ts: 'node:v8'",
    ]);
    expect(readRoot('src/app/keepHeapSmall.ts')).not.toContain('deserialize');
  });

  it('starts programs only in the embedded stack and the command line, by a list of arguments', () => {
    const starting = placesOf(importsProcesses, /child_process/, sources).map(
      (place) => place.split(':', 1)[0],
    );
    expect(starting.filter((file) => !/^(src\/embedded|cli)\//.test(file!))).toEqual([]);
    // The pager is a command line that its user has put into PAGER.
    expect(placesOf(runsShell, IN_SHELL, sources)).toEqual(['cli/output/pager.ts: shell: true']);
  });

  it('writes HTML only in files that escape', () => {
    const writes = (node: ts.Node): boolean =>
      ts.isPropertyAccessExpression(node) &&
      isNamed(node.name, ['innerHTML', 'outerHTML', 'insertAdjacentHTML']);
    expect(placesOf(writes, /innerHTML|outerHTML|insertAdjacentHTML/, sources)).toEqual([]);
    const pages = sources.filter(([, text]) => /text\/html/.test(text)).map(([file]) => file);
    expect(pages.toSorted()).toEqual(
      [
        'src/api/endpoints/confirm.ts',
        'src/api/endpoints/docs.ts',
        'src/api/endpoints/docsFiles.ts',
        'src/web/funnels/endpoints.ts',
        'src/web/funnels/headers.ts',
        'src/web/funnels/submitEndpoint.ts',
        'src/web/server/pages/index.ts',
        'src/web/server/pages/pageEndpoint.ts',
        'src/web/server/pages/render/page.ts',
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
    expect(placesOf(computed, /\btemplate\b/, sources)).toEqual([]);
  });

  it('fails the check for each of these', () => {
    const bad = `
      import { exec as run } from 'node:child_process';
      import vm from 'node:vm';
      eval(a); new Function('x'); setTimeout('x', 1); spawn('x', [], { shell: true });`;
    const source = [['bad.ts', bad]] as const;
    expect(placesOf(evaluates, EVALUATING, source)).toHaveLength(3);
    expect(placesOf(loadsForbidden, LOADING, source)).toHaveLength(1);
    expect(placesOf(runsShell, IN_SHELL, source)).toEqual([
      'bad.ts: exec as run',
      'bad.ts: shell: true',
    ]);
  });
});
