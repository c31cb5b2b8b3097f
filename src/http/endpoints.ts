/** The table of endpoints. Reading its `who` column is the access review. */
import type { Endpoint } from './endpoint.js';
import { liveness, readiness } from './health.js';
import { ingest } from './ingest.js';
import { metricsPage } from './metricsPage.js';

export const endpoints: readonly Endpoint[] = [ingest, liveness, readiness, metricsPage];
