/** `npm run docs:types`: writes the table of field types into the API guide, and the reference of funnels' definitions. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRoot, ROOT } from '../deploy/repository.js';
import { withFieldTypes } from './fieldTypesTable.js';
import { withDefinition } from './funnelDefinitionTables.js';

const write = (page: string, made: (text: string) => string): void =>
  writeFileSync(join(ROOT, page), made(readRoot(page)));

write('docs/api.md', withFieldTypes);
write('docs/funnel-definitions.md', withDefinition);
