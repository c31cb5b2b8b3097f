/**
 * Which revision of the protocol a request speaks. A request without a revision is served like those of the older ones,
 * without requiring their handshake: there is no state here that it could set up.
 */
import { isObject, type RpcRequest } from './message.js';
import { ALL_VERSIONS, RPC, RpcError, STATELESS_VERSIONS } from './protocol.js';

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

export type Headers = (name: string) => string | undefined;
export type Era = 'handshake' | 'stateless';

/** @throws {RpcError} when the revision is unknown, or headers and body contradict each other (MCP 2026-07-28) */
export function readEra(request: RpcRequest, header: Headers): Era {
  const named = header('mcp-protocol-version')?.trim();
  const meta = isObject(request.params._meta) ? request.params._meta : {};
  const claimed = meta[VERSION_KEY];
  if (claimed !== undefined && typeof claimed !== 'string') {
    throw badMeta(`${VERSION_KEY} must be a text.`, [VERSION_KEY]);
  }
  requireKnown(claimed ?? named);
  if (claimed === undefined || !isStateless(claimed)) {
    if (named !== undefined && isStateless(named)) throw unclaimed(request, named);
    return 'handshake';
  }
  if (!isObject(meta[CAPABILITIES_KEY])) {
    throw badMeta(`${CAPABILITIES_KEY} must be an object.`, [CAPABILITIES_KEY]);
  }
  agree('MCP-Protocol-Version', named, claimed);
  agree('Mcp-Method', header('mcp-method')?.trim(), request.method);
  const { name } = request.params;
  if (request.method === 'tools/call' && typeof name === 'string') {
    agree('Mcp-Name', plain(header('mcp-name')?.trim()), name);
  }
  return 'stateless';
}

/** @throws {RpcError} -32022 with the supported revisions */
export function requireKnown(version: string | undefined): void {
  if (version === undefined || ALL_VERSIONS.includes(version)) return;
  const requested = version.slice(0, 100);
  throw new RpcError(
    RPC.unsupportedVersion,
    `The protocol version ${requested} is not supported; use one of ${ALL_VERSIONS.join(', ')}.`,
    { status: 400, data: { supported: ALL_VERSIONS, requested } },
  );
}

const isStateless = (version: string): boolean =>
  STATELESS_VERSIONS.some((known) => known === version);

function unclaimed({ method }: RpcRequest, named: string): RpcError {
  if (method === 'initialize') return mismatch(`${named} has no initialize.`);
  const missing = [VERSION_KEY, CAPABILITIES_KEY];
  return badMeta(`With ${named}, params._meta must have ${missing.join(' and ')}.`, missing);
}

function agree(header: string, sent: string | undefined, inBody: string): void {
  if (sent === inBody) return;
  const fault = sent === undefined ? 'is missing' : `says "${sent.slice(0, 100)}"`;
  throw mismatch(`The header ${header} ${fault}; the body says "${inBody.slice(0, 100)}".`);
}

/** A header can hold ASCII alone: other names are sent in Base64. */
function plain(value: string | undefined): string | undefined {
  const encoded = value === undefined ? undefined : /^=\?base64\?(.*)\?=$/i.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
}

const mismatch = (message: string): RpcError =>
  new RpcError(RPC.headerMismatch, message, { status: 400 });

const badMeta = (message: string, missing: string[]): RpcError =>
  new RpcError(RPC.invalidParams, message, { status: 400, data: { missing } });
