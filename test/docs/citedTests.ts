/** The tests that a page cites, and the titles in a test file. */
import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** `test/area/file.test.ts`, followed by the quoted titles that the sentence relies on; without any: the whole file. */
export interface Citation {
  file: string;
  title: string | null;
}

const CITED = /`(test\/[\w/.-]+\.test\.ts)`((?:,? "[^"]+")*)/g;

/** All citations in a Markdown text, in order. */
export function citationsOf(text: string): Citation[] {
  return [...text.replace(/\s+/g, ' ').matchAll(CITED)].flatMap(
    ([, file = '', rest = '']): Citation[] => {
      const titles = [...rest.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title);
      if (titles.length === 0) return [{ file, title: null }];
      return titles.map((title) => ({ file, title }));
    },
  );
}

const RUNNERS = new Set(['describe', 'it', 'test']);

/** The first argument of every `describe` and `it`, including `each`; a template's values become an ellipsis. */
export function titlesOf(source: string): string[] {
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && RUNNERS.has(runnerOf(node.expression))) {
      const title = node.arguments[0] && textOf(node.arguments[0]);
      if (title !== undefined) titles.push(title);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('a.test.ts', source, ts.ScriptTarget.Latest, true));
  return titles;
}

/** `it` of `it(…)`, `it.each(…)(…)` and `(condition ? it : it.skip)(…)`. */
function runnerOf(callee: ts.Expression): string {
  if (ts.isIdentifier(callee)) return callee.text;
  if (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee))
    return runnerOf(callee.expression);
  if (ts.isParenthesizedExpression(callee)) return runnerOf(callee.expression);
  if (ts.isConditionalExpression(callee)) return runnerOf(callee.whenTrue);
  return '';
}

function textOf(node: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}

const titlesRead = new Map<string, string[]>();

/** Why a citation is wrong; null when it is right. A title may be cited in part. */
export function faultOf({ file, title }: Citation, root: URL): string | null {
  let titles = titlesRead.get(file);
  if (!titles) {
    try {
      titles = titlesOf(readFileSync(new URL(file, root), 'utf8'));
    } catch {
      return `${file} does not exist`;
    }
    titlesRead.set(file, titles);
  }
  if (title === null || titles.some((one) => one.replace(/\s+/g, ' ').includes(title))) return null;
  return `${file} has no test called "${title}"`;
}
