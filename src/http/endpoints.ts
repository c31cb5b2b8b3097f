/** The table of endpoints. Reading its `who` column is the access review. */
import { listActions, runAction, whoami } from './actions.js';
import type { Endpoint } from './endpoint.js';
import { ingest } from './ingest.js';
import { lookup } from './lookup.js';
import { mcp } from './mcp.js';
import { docsAsset, docsPage, startPage } from './docs.js';
import { openapiDocument } from './openapi.js';
import { outcome } from './outcome.js';
import { ping } from './ping.js';
import { processEndpoints } from './processApp.js';

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
