/** The OpenAPI document of this version, as it is sent. */
import { REGISTRY } from '../actions/registry.js';
import { endpointsOn } from '../endpoints/index.js';
import { servedFile } from '../http/servedFile.js';
import { type ServedFile } from '../http/deps.js';
import { readVersion } from '../../lib/version.js';
import { describeApi, type Addresses } from './document.js';

interface Described extends Addresses {
  /** The document leaves out endpoints on another port. */
  hasHealthPort?: boolean;
}

/** Made on the first request, and kept. */
export function apiDescription(described: Described): () => ServedFile {
  let made: ServedFile | undefined;
  return () => (made ??= describe(described));
}

function describe({ hasHealthPort = false, ...addresses }: Described): ServedFile {
  const endpoints = endpointsOn({ hasHealthPort });
  const version = readVersion();
  const document = describeApi({ endpoints, actions: REGISTRY, addresses, version });
  return servedFile(Buffer.from(JSON.stringify(document)), 'application/json; charset=utf-8');
}
