/** Every action as data: what it is, what it takes and returns, and the rules that it is run by (contract 9.1). */
import { jsonSchema } from '../../lib/jsonSchema.js';
import type { Caller } from '../calls/caller.js';
import { mayRun } from '../calls/rights.js';
import { rulesOf } from '../calls/rules.js';
import type { Action } from './action.js';
import { REGISTRY } from './registry.js';

export const catalogFor = (caller: Caller) =>
  entries().map(({ action, entry }) => ({ ...entry, allowed: mayRun(action, caller) }));

interface CatalogEntry {
  action: Action;
  entry: Record<string, unknown>;
}

let made: CatalogEntry[] | undefined;

/** Made once, on the first request: the schemas of all actions take some milliseconds. */
const entries = (): CatalogEntry[] =>
  (made ??= REGISTRY.map((action) => ({ action, entry: entryOf(action) })));

function entryOf(action: Action): Record<string, unknown> {
  const { name, summary, description, effect, permission, input, output, example } = action;
  return {
    name,
    summary,
    description,
    effect,
    permission,
    ...rulesOf(action),
    paged: action.paged ?? false,
    input_schema: jsonSchema(input, 'input'),
    output_schema: jsonSchema(output, 'output'),
    example,
  };
}
