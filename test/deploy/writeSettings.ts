/** `npm run docs:settings`: writes the table of settings into the operations page. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listSettings } from '../../src/app/config.js';
import { readRoot, ROOT } from './repository.js';
import { withSettings } from './settingsTable.js';

const PAGE = 'docs/operations.md';

writeFileSync(join(ROOT, PAGE), withSettings(readRoot(PAGE), listSettings()));
