/** Every endpoint that people open with a browser. */
import type { Endpoint } from '../../api/http/endpoint.js';
import { serverPages } from './pages/index.js';
import { funnelPages } from '../funnels/endpoints.js';
import { errorPage } from './pages/pageEndpoint.js';
import { scriptErrors } from './scriptErrors.js';
import { shellEndpoints } from './shell.js';

export const webEndpoints: readonly Endpoint[] = [
  ...serverPages,
  scriptErrors,
  ...funnelPages,
  ...shellEndpoints,
];

/** What a browser is shown at an address without a page. */
export const lostPage = errorPage;
