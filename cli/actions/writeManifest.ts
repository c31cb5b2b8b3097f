/** A step of the build: writes the list of commands next to the program. */
import { writeFileSync } from 'node:fs';
import { REGISTRY } from '../../src/api/actions/registry.js';
import { makeManifest } from './makeManifest.js';
import { MANIFEST_PATH } from './manifest.js';

export const writeManifest = (): void => {
  writeFileSync(MANIFEST_PATH, `${JSON.stringify(makeManifest(REGISTRY))}\n`);
};
