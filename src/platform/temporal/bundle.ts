/** Bundles the workflows once, at build time, so that no worker has to when it starts. */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import { slimBundle } from './slimBundle.js';

/** Where the build puts the bundle. */
export const WORKFLOW_BUNDLE = fileURLToPath(
  new URL('../../../workflow-bundle.js', import.meta.url),
);
const WORKFLOWS = fileURLToPath(new URL('../../../workflows/index.js', import.meta.url));

const isMain = process.argv[1] === fileURLToPath(import.meta.url);
if (isMain) {
  const { code } = await bundleWorkflowCode({
    workflowsPath: WORKFLOWS,
    logger: quietLogger(),
  });
  await writeFile(WORKFLOW_BUNDLE, slimBundle(code));
}

/** Only what went wrong. */
function quietLogger() {
  const silent = () => undefined;
  const say = (message: string) => void process.stderr.write(`${message}\n`);
  return { log: silent, trace: silent, debug: silent, info: silent, warn: say, error: say };
}
