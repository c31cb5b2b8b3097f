/** An action by its name, and what it works with. */
import { AppError } from '../../lib/errors.js';
import { didYouMean } from '../../lib/nearest.js';
import type { Caller } from '../calls/caller.js';
import type { Definition } from '../calls/definition.js';
import { holds } from './access.js';
import type { Action, ActionContext, ActionDeps } from './action.js';
import { REGISTRY } from './registry.js';

export const findAction = (name: string): Action | undefined =>
  REGISTRY.find((action) => action.name === name);

export function unknownAction(name: string): AppError {
  const hint = didYouMean(
    name,
    REGISTRY.map((action) => action.name),
  );
  const message = `There is no action ${name.slice(0, 100)}.${hint} GET /api/v1/actions lists all.`;
  return new AppError('action_not_found', message);
}

/** Versions of campaigns record the caller and the action that made them. */
export const contextOf = (action: Action, caller: Caller, deps: ActionDeps): ActionContext =>
  contextOfCall(action, caller, deps);

/** The same for a call that is no action. */
export function contextOfCall(
  { name, alsoNeeds }: Pick<Definition, 'name' | 'alsoNeeds'>,
  caller: Caller,
  deps: ActionDeps,
): ActionContext {
  const { org_id, actor, permissions } = caller;
  return {
    ...deps,
    caller,
    orgId: org_id,
    author: { [actor.kind]: { id: actor.id, name: actor.name }, action: name },
    holdsFurther: alsoNeeds !== undefined && holds(permissions, alsoNeeds.permission),
  };
}
