/** The table of endpoints. Reading its `who` column is the access review. */
import { confirmPage, confirmRecipient } from './confirm.js';
import { listActions, runAction, whoami } from './actions.js';
import type { Endpoint } from '../http/endpoint.js';
import { ingest, lookup } from './ingest.js';
import { consoleFollowLeads, followLeads } from './live.js';
import { mcp } from '../mcp/mcp.js';
import { docsAsset, docsPage, startPage } from './docs.js';
import { openapiDocument } from './openapi.js';
import { outcome } from './outcome.js';
import { consoleAction, consoleMe } from './console.js';
import { partnerCall, partnerFile, partnerLogo, partnerMe } from './partner.js';
import { ping } from './ping.js';
import { processEndpoints } from './health.js';

const apiEndpoints: readonly Endpoint[] = [
  ingest,
  ping,
  lookup,
  outcome,
  whoami,
  listActions,
  runAction,
  followLeads,
  mcp,
  openapiDocument,
];

export const endpoints: readonly Endpoint[] = [...apiEndpoints, ...processEndpoints];

/** The endpoints on the port of the API: health and metrics move to a port of their own, where there is one. */
export const endpointsOn = ({ hasHealthPort }: { hasHealthPort: boolean }): readonly Endpoint[] =>
  hasHealthPort ? apiEndpoints : endpoints;

/** The calls of pages for signed-in people. Before the pages: one of them has every address below `/portal`. */
export const pageCalls: readonly Endpoint[] = [
  partnerMe,
  partnerLogo,
  partnerFile,
  partnerCall,
  consoleMe,
  consoleFollowLeads,
  consoleAction,
];

/** For people with a browser; not part of the API. */
export const pages: readonly Endpoint[] = [
  startPage,
  docsPage,
  docsAsset,
  confirmPage,
  confirmRecipient,
];
