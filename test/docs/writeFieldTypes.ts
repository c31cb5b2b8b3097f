/** `npm run docs:types`: writes the table of field types into the API guide. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRoot, ROOT } from '../deploy/repository.js';
import { withFieldTypes } from './fieldTypesTable.js';

const PAGE = 'docs/api.md';

writeFileSync(join(ROOT, PAGE), withFieldTypes(readRoot(PAGE)));
