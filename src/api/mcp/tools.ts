/**
 * The actions as MCP lists them: each with its text in a sentence, its input in few words, and hints for clients that decide
 * which may run unasked. An assistant reads the whole list before its first call, so what few calls need is left to
 * `describe_action`, and what recurs is said there once (docs/decisions/mcp.md).
 */
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { Action } from '../actions/action.js';
import { REGISTRY } from '../actions/registry.js';
import { jsonSchema, type JsonObject } from '../../lib/jsonSchema.js';
import { briefOf, namesSome } from './brief.js';
import { compactInput } from './compactSchema.js';

export interface Tool {
  name: string;
  description: string;
  inputSchema: JsonObject;
  /**
   * Only what differs from the defaults of the protocol, of which no host asks a person less. Of a tool that reads, the
   * others mean nothing.
   */
  annotations: {
    readOnlyHint?: true;
    destructiveHint?: false;
    openWorldHint?: false;
  };
}

/** Keys of many inputs, which the text of `describe_action` explains. */
const RECURRING: ReadonlySet<string> = new Set(
  (
    'campaign_id buyer_id supplier_id lead_id automation_id funnel_id name status limit cursor expected_version ' +
    'date_from date_to price priority weight states zips filters schedule delivery url headers ' +
    'hourly_cap daily_cap weekly_cap monthly_cap total_cap daily_caps ' +
    'hourly_budget daily_budget weekly_budget monthly_budget total_budget'
  ).split(' '),
);

/** The tool that no action is: every key may call it. */
export const DESCRIBE = 'describe_action';

export const DescribeInput = z.strictObject({
  name: z.string().max(100).describe('The name of an action, such as create_campaign'),
});

const DESCRIBE_TOOL: Tool = {
  name: DESCRIBE,
  description:
    'Shows one action whole: its text, the full JSON Schemas of its input and output, an example. The inputs in this list are ' +
    'abbreviated: an object or a list has one example and may take more; call this before you use what is not shown, and when an ' +
    'input is refused. In all tools: ids come from list_ and create_ tools; days (date_from, date_to) are YYYY-MM-DD, both ' +
    "included, in the account's time zone; instants are ISO 8601 in UTC, created_from included; money (price, cost, budgets) is a number in the account's " +
    'currency; *_cap is a number of leads, *_budget an amount; null removes a limit or resets a setting, and what is left out ' +
    'stays. Filters are { all: [rules] } or { any: [rules] }, a rule is { field, operator, value } with ==, !=, IN, NOT IN, >, <, ' +
    '>=, <=, CONTAINS, IS EMPTY. limit: rows a page (100); cursor: next_cursor of the page before; expected_version: refuse the ' +
    'change if the record has another version. The words of a key are listed where it comes first.',
  inputSchema: {
    type: 'object',
    properties: { name: { type: 'string', description: 'Such as create_campaign' } },
    required: ['name'],
  },
  annotations: { readOnlyHint: true },
};

/** What is made of an action once, on the first request. */
interface Made {
  tool: Tool;
  /** The full schema of its input. */
  input: JsonObject;
}

let made: Promise<ReadonlyMap<string, Made>> | undefined;

const all = (): Promise<ReadonlyMap<string, Made>> => (made ??= makeAll());

/** `describe_action`, and the tools of these actions, in their order. What several keys of a name share is said at the first. */
export async function toolsOf(actions: readonly Action[]): Promise<Tool[]> {
  const known = await all();
  const said = new Set<string>();
  const isSaid = (text: string): boolean => said.size === said.add(text).size;
  const once = (key: string, { description, enum: words, ...rest }: JsonObject): JsonObject => {
    const text = `${key}: ${String(description)}`;
    return {
      ...rest,
      enum: words !== undefined && isSaid(`${key}: ${JSON.stringify(words)}`) ? undefined : words,
      // Some of many words that a key takes are said wherever it is.
      description: namesSome(text) || !isSaid(text) ? description : undefined,
    };
  };
  const tools = actions.flatMap(({ name }) => known.get(name)?.tool ?? []);
  return [DESCRIBE_TOOL, ...tools.map((tool) => withProperties(tool, once))];
}

function withProperties(tool: Tool, change: (key: string, schema: JsonObject) => JsonObject): Tool {
  const { inputSchema } = tool;
  const entries = Object.entries(inputSchema.properties as Record<string, JsonObject>);
  const properties = Object.fromEntries(entries.map(([key, one]) => [key, change(key, one)]));
  return { ...tool, inputSchema: { ...inputSchema, properties } };
}

/** The full schema of an action's input. */
export const inputOf = async ({ name }: Action): Promise<JsonObject> =>
  (await all()).get(name)?.input ?? {};

/** All of them take some 50 ms: the pauses between two of them let the process answer leads. */
async function makeAll(): Promise<ReadonlyMap<string, Made>> {
  const tools = new Map<string, Made>();
  for (const action of REGISTRY) {
    const input = jsonSchema(action.input, 'input');
    tools.set(action.name, { tool: toolOf(action, input), input });
    await setImmediate();
  }
  return tools;
}

function toolOf(action: Action, input: JsonObject): Tool {
  const { name, effect, example, reachesOut } = action;
  return {
    name,
    description: briefOf(action),
    inputSchema: compactInput(input, example, RECURRING),
    annotations:
      effect === 'read'
        ? { readOnlyHint: true }
        : {
            destructiveHint: effect === 'destroy' ? undefined : false,
            openWorldHint: reachesOut ? undefined : false,
          },
  };
}
