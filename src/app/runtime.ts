/**
 * Refuses a Node that is too old. It is all that entry points import statically, and imports nothing that an old Node
 * lacks: the imports of a module are linked before any of them runs.
 */
import process from 'node:process';

const OLDEST_MAJOR = 24;

const major = Number(process.versions.node.split('.')[0]);
if (major < OLDEST_MAJOR) {
  process.stderr.write(
    `Leadwire needs Node ${String(OLDEST_MAJOR)} or newer, and this is ${process.versions.node}. ` +
      'On Linux (x64, arm64) npm brings the right one: run npm ci, then ./leadwire or an npm script. ' +
      `Elsewhere, or where optional packages are left out, install Node ${String(OLDEST_MAJOR)}.\n`,
  );
  process.exit(1);
}
