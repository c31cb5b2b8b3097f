/** The table of endpoints. Reading its `who` column is the access review. */
import { listActions, runAction, whoami } from './actions.js';
import type { ProcessDeps } from './deps.js';
import type { Endpoint } from './endpoint.js';
import { liveness, readiness } from './health.js';
import { ingest } from './ingest.js';
import { lookup } from './lookup.js';
import { mcp } from './mcp.js';
import { docsAsset, docsPage, startPage } from './docs.js';
import { metricsPage } from './metricsPage.js';
import { openapiDocument } from './openapi.js';
import { outcome } from './outcome.js';
import { ping } from './ping.js';

/** What every process shows of itself. */
export const processEndpoints: readonly Endpoint<ProcessDeps>[] = [
  liveness,
  readiness,
  metricsPage,
];

export const endpoints: readonly Endpoint[] = [
  ingest,
  ping,
  lookup,
  outcome,
  whoami,
  listActions,
  runAction,
  mcp,
  openapiDocument,
  ...processEndpoints,
];

/** For people with a browser; no part of the API. */
export const pages: readonly Endpoint[] = [startPage, docsPage, docsAsset];
