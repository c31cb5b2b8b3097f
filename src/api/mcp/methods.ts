/** The methods of the protocol: what a request wants, before anything is counted or done. */
import { DEFAULT_KEY_LIMITS } from '../../account/store/keyDocs.js';
import type { Action } from '../actions/action.js';
import { findAction } from '../actions/named.js';
import { readInput } from '../actions/readInput.js';
import type { KeySession } from '../actions/service.js';
import type { CallAnswer } from '../calls/answer.js';
import { didYouMean } from '../../lib/nearest.js';
import { AppError } from '../../lib/errors.js';
import { jsonInText, kindOf } from '../http/parseBody.js';
import { readVersion } from '../../lib/version.js';
import { isObject, type RpcRequest } from './message.js';
import { ALL_VERSIONS, HANDSHAKE_VERSIONS, RPC, RpcError } from './protocol.js';
import type { Era } from './revision.js';
import { readTexts } from './textArguments.js';
import { DESCRIBE, DescribeInput, inputOf, toolsOf } from './tools.js';
import { chosenActions } from './toolsets.js';

/** A tool to run, the reason why none can run, or an answer that is known already. */
export type Asked =
  | { tool: string; run: () => Promise<CallAnswer> }
  | { tool: string; refusal: AppError }
  | { result: Record<string, unknown> };

/** Who asks, and which groups of tools its address names. */
export interface Asking {
  session: KeySession;
  toolsets: string | undefined;
}

type Method = (request: RpcRequest, asking: Asking) => Asked | Promise<Asked>;

/** @throws {RpcError} -32601 for another method, -32602 for params that do not fit */
export async function readRequest(request: RpcRequest, era: Era, asking: Asking): Promise<Asked> {
  const methods = METHODS[era];
  const method = methods.get(request.method);
  if (!method) throw unknownMethod(request.method, era, [...methods.keys()]);
  const answer = await method(request, asking);
  if (era === 'handshake' || !('result' in answer)) return answer;
  return { result: { ...answer.result, ttlMs: FRESH_MS, cacheScope: 'private' } };
}

/** Adds the fields that results of the stateless revisions carry. */
export const stamped = (result: object): object => ({
  ...result,
  resultType: 'complete',
  _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo() },
});

/** The tools of a key change only with an update of the service. */
const FRESH_MS = 300_000;
const CAPABILITIES = { tools: { listChanged: false } };
const { calls_per_minute: calls, writes_per_minute: writes } = DEFAULT_KEY_LIMITS;
const INSTRUCTIONS = `Leadwire accepts leads from suppliers, checks them, and sells each to the buyers of its campaign.
A campaign accepts live leads once it is ACTIVE and has a buyer (create_buyer, set_buyer_delivery, add_buyer_to_campaign) and a supplier (create_supplier, add_supplier_to_campaign).
Read before you change: list_ and get_ tools change nothing and return the ids. Changes take effect at once, for real leads and real money; tools marked destructive cannot be undone, so ask the user first.
The list of tools abbreviates their inputs; describe_action shows one with its full schemas.
Every answer is { "success": true, "data" } or { "success": false, "error" }: error says what is wrong and what to do. A key may make ${calls} calls a minute, of which ${writes} may write.`;

const listTools: Method = async ({ params }, { session, toolsets }) => {
  if (params.cursor === undefined || params.cursor === null) {
    return { result: { tools: await toolsOf(chosenActions(session.actions(), toolsets)) } };
  }
  throw badParams('tools/list has no pages: this cursor was not returned by any answer.');
};

const initialize: Method = ({ params }, { toolsets }) => {
  // A wrong name shows when the client connects.
  chosenActions([], toolsets);
  const wanted = params.protocolVersion;
  const known = HANDSHAKE_VERSIONS.find((version) => version === wanted);
  return {
    result: {
      protocolVersion: known ?? HANDSHAKE_VERSIONS[0],
      capabilities: CAPABILITIES,
      serverInfo: serverInfo(),
      instructions: INSTRUCTIONS,
    },
  };
};

const discover: Method = (_, { toolsets }) => {
  chosenActions([], toolsets);
  return {
    result: {
      supportedVersions: ALL_VERSIONS,
      capabilities: CAPABILITIES,
      instructions: INSTRUCTIONS,
    },
  };
};

const callTool: Method = async ({ params }, { session }) => {
  const { name: tool } = params;
  if (typeof tool !== 'string') throw badParams('params.name must be the name of a tool.');
  const action = findAction(tool);
  if (!action && tool !== DESCRIBE) {
    return { tool, refusal: unknownTool(tool, session.actions()) };
  }
  const input = argumentsOf(params.arguments);
  if (!isObject(input)) {
    const message = `params.arguments must be an object; it is ${kindOf(input)}.`;
    return { tool, refusal: new AppError('invalid_input', message) };
  }
  if (!action)
    return { tool, run: () => session.describe(() => readInput(DescribeInput, input).name) };
  const read = readTexts(await inputOf(action), input) as Record<string, unknown>;
  return { tool, run: () => session.run(tool, () => Promise.resolve(read)) };
};

/** Some clients send all arguments as one text of JSON. */
function argumentsOf(given: unknown): unknown {
  const read = typeof given === 'string' ? jsonInText(given) : given;
  return read === undefined && typeof given === 'string' ? given : (read ?? {});
}

const TOOLS: [string, Method][] = [
  ['tools/list', listTools],
  ['tools/call', callTool],
];
const METHODS: Record<Era, ReadonlyMap<string, Method>> = {
  handshake: new Map([['initialize', initialize], ['ping', () => ({ result: {} })], ...TOOLS]),
  stateless: new Map([['server/discover', discover], ...TOOLS]),
};

/** An unknown method is a 404 in the stateless revisions. */
function unknownMethod(method: string, era: Era, known: string[]): RpcError {
  const name = JSON.stringify(method.slice(0, 100));
  const message = `There is no method ${name}; the methods are ${known.join(', ')}.`;
  return new RpcError(RPC.methodNotFound, message, { status: era === 'stateless' ? 404 : 200 });
}

function unknownTool(name: string, actions: readonly Action[]): AppError {
  const names = [DESCRIBE, ...actions.map((action) => action.name)];
  const hint = didYouMean(name, names);
  const message = `There is no tool ${name.slice(0, 100)}.${hint} tools/list has all.`;
  return new AppError('action_not_found', message);
}

const badParams = (message: string): RpcError => new RpcError(RPC.invalidParams, message);

let server: { name: string; title: string; version: string } | undefined;

const serverInfo = () =>
  (server ??= { name: 'leadwire', title: 'Leadwire', version: readVersion() });
