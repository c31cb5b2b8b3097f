/** `npm run docs:calls`: writes the tables of rights into the page on permissions. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRoot, ROOT } from '../deploy/repository.js';
import { withCalls } from './callTables.js';

const PAGE = 'docs/permissions.md';

writeFileSync(join(ROOT, PAGE), withCalls(readRoot(PAGE)));
