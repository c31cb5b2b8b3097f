/** The document of this program, as it is sent. */
import { REGISTRY } from '../actions/registry.js';
import { endpoints } from '../http/endpoints.js';
import { servedFile, type ServedFile } from '../http/servedFile.js';
import { readVersion } from '../version.js';
import { describeApi, type Addresses } from './document.js';

/** Made when it is first asked for, and kept. */
export function apiDescription(addresses: Addresses): () => ServedFile {
  let made: ServedFile | undefined;
  return () => (made ??= describe(addresses));
}

function describe(addresses: Addresses): ServedFile {
  const version = readVersion();
  const document = describeApi({ endpoints, actions: REGISTRY, addresses, version });
  return servedFile(Buffer.from(JSON.stringify(document)), 'application/json; charset=utf-8');
}
