/** `npm run docs:metrics`: writes the table of metrics into the operations page. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listMetrics, withMetrics } from './metricsTable.js';
import { readRoot, ROOT } from './repository.js';

const PAGE = 'docs/operations.md';

writeFileSync(join(ROOT, PAGE), withMetrics(readRoot(PAGE), await listMetrics()));
