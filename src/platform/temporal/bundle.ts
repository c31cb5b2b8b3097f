/** Bundles the workflows once, at build time, so that no worker has to at its start. */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';

/** Where the build puts the bundle. */
export const WORKFLOW_BUNDLE = fileURLToPath(
  new URL('../../../workflow-bundle.js', import.meta.url),
);
const WORKFLOWS = fileURLToPath(new URL('../../../workflows/index.js', import.meta.url));

/** Logs only errors. */
function quietLogger() {
  const silent = () => undefined;
  const say = (message: string) => void process.stderr.write(`${message}\n`);
  return { log: silent, trace: silent, debug: silent, info: silent, warn: say, error: say };
}

// A worker's main thread and the thread of its workflows each hold the bundle: small is better.

const MAP = '//# sourceMappingURL=data:application/json;charset=utf-8;base64,';

/**
 * The bundle without the sources in its source map, which still maps each line to its origin, and without characters
 * above U+00FF, for which V8 would keep all of it at two bytes a character: together a quarter of the memory.
 * @throws {Error} when the bundle does not end with its source map
 */
export function slimBundle(bundle: string): string {
  const at = bundle.lastIndexOf(MAP);
  if (at < 0) throw new Error('The bundle of the workflows has no source map at its end.');
  const json = Buffer.from(bundle.slice(at + MAP.length), 'base64').toString('utf8');
  const map = JSON.parse(json) as { sourcesContent?: unknown };
  delete map.sourcesContent;
  const slim = Buffer.from(JSON.stringify(map), 'utf8').toString('base64');
  return `${escaped(bundle.slice(0, at))}${MAP}${slim}`;
}

/**
 * An escape of such a character means the same in a text, a template and a pattern; in a comment it does not matter.
 */
const escaped = (code: string): string =>
  code.replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A step of the build. */
export async function bundleWorkflows(): Promise<void> {
  const { code } = await bundleWorkflowCode({ workflowsPath: WORKFLOWS, logger: quietLogger() });
  await writeFile(WORKFLOW_BUNDLE, slimBundle(code));
}
