/** An action as an operation of its own, in addition to `/api/v1/actions/{action}`. */
import { z } from 'zod';
import type { Action } from '../actions/action.js';
import { rulesOf } from '../calls/rules.js';
import { withoutKeys } from '../../lib/defined.js';
import type { ErrorCode } from '../../lib/errors.js';
import type { JsonObject } from '../../lib/jsonSchema.js';
import { operationOf, type Described } from './operations.js';
import type { NamedSchemas } from './schemas.js';

const EFFECTS = {
  read: 'It changes nothing.',
  write: 'It counts as a write.',
  destroy: 'It counts as a write, and cannot be undone.',
} as const;

/** @param runner the endpoint that runs every action */
export function actionOperation(
  action: Action,
  runner: Described,
  named: NamedSchemas,
): JsonObject {
  const { name, effect, permission, idempotent } = action;
  const { also_needs } = rulesOf(action);
  const operation = operationOf(asEndpoint(action, runner), named);
  return {
    ...operation,
    responses: withoutHeaders(operation.responses as Record<string, JsonObject>),
    'x-permission': permission,
    ...(also_needs && { 'x-also-needs': also_needs }),
    'x-effect': effect,
    'x-idempotent': idempotent,
    'x-action': name,
  };
}

/** Those of answers are shown once, at the endpoint that runs every action. */
const withoutHeaders = (responses: Record<string, JsonObject>): JsonObject =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      withoutKeys(response, ['headers']),
    ]),
  );

export const actionPath = ({ name }: Action, { path }: Described): string =>
  path.replace(':action', name);

function asEndpoint(action: Action, runner: Described): Described {
  const { name, summary, description, permission, effect, input, example, bodyMax } = action;
  const size =
    bodyMax === undefined ? '' : ` A body has at most ${bodyMax.toLocaleString('en-US')} bytes.`;
  return {
    ...runner,
    id: name,
    summary,
    tag: action.cli[0],
    params: undefined,
    path: actionPath(action, runner) as `/${string}`,
    description: `${description}\n\nNeeds the permission \`${permission}\`. ${EFFECTS[effect]}${size}`,
    input: input.meta({ examples: [example] }),
    outputs: { 200: answerOf(action) },
    errors: runner.errors.filter((code) => canRefuse(action, code)),
  };
}

/** The schema of `data`; a paged list also has the cursor of its next page. */
function answerOf(action: Action): z.ZodType {
  const success = z.literal(true).describe('Always true');
  const next_cursor = z
    .string()
    .nullable()
    .optional()
    .describe('The `cursor` for the next page; null: this is the last page');
  return z.object({ success, data: action.output, ...(action.paged && { next_cursor }) });
}

function canRefuse({ effect, input }: Action, code: ErrorCode): boolean {
  if (code === 'action_not_found') return false;
  if (code === 'record_not_found')
    return Object.keys(input.shape).some((key) => key.endsWith('_id'));
  const isOfChanges = code === 'version_conflict' || code === 'outcome_unknown';
  return !isOfChanges || effect !== 'read';
}
