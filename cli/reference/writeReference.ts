/** `npm run docs:cli`: writes the page that shows the help of every command. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describedProgram } from '../program.js';
import { createReference } from './reference.js';

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'cli-reference.md');

writeFileSync(PAGE, createReference(describedProgram()));
