/** Groups of tools, for assistants that need a few of them: `/mcp?tools=leads,reports`. */
import type { Action } from '../actions/action.js';
import { REGISTRY } from '../actions/registry.js';
import { didYouMean } from '../../lib/nearest.js';
import { RPC, RpcError } from './protocol.js';

/** The noun of an action's command is its group. */
const groupOf = ({ cli: [noun] }: Pick<Action, 'cli'>): string => noun;

/** In the order of the registry. */
export const TOOLSETS: readonly string[] = [...new Set(REGISTRY.map(groupOf))];

/**
 * The actions of the named groups; all of them where none is named. A group shortens the list and takes no right: the key
 * decides what may be called.
 * @param named such as `leads, reports`
 * @throws {RpcError} -32602 with all names, for one that is none
 */
export function chosenActions(
  actions: readonly Action[],
  named: string | undefined,
): readonly Action[] {
  const wanted = (named ?? '').split(',').flatMap((one) => one.trim().toLowerCase() || []);
  const unknown = wanted.find((one) => !TOOLSETS.includes(one));
  if (unknown !== undefined) throw unknownToolset(unknown);
  return wanted.length === 0 ? actions : actions.filter((one) => wanted.includes(groupOf(one)));
}

function unknownToolset(name: string): RpcError {
  const hint = didYouMean(name, TOOLSETS);
  const message = `There is no toolset ${JSON.stringify(name.slice(0, 100))}.${hint} The toolsets are ${TOOLSETS.join(', ')}.`;
  return new RpcError(RPC.invalidParams, message);
}
