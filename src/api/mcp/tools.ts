/** The actions as MCP shows them: tools with their schemas, and hints for clients that decide which may run unasked. */
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { Action } from '../actions/action.js';
import { REGISTRY } from '../actions/registry.js';
import { jsonSchema, type JsonObject } from '../../lib/jsonSchema.js';

export interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonObject;
  /** For the envelope, `structuredContent`; a refusal fits it too, because clients check those as well. */
  outputSchema: JsonObject;
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

let made: Promise<ReadonlyMap<string, Tool>> | undefined;

/** The tools of these actions, in their order. The schemas are made once, on the first request. */
export async function toolsOf(actions: readonly Action[]): Promise<Tool[]> {
  const tools = await (made ??= makeAll());
  return actions.flatMap(({ name }) => tools.get(name) ?? []);
}

/** All of them take some 50 ms: the pauses between two of them let the process answer leads. */
async function makeAll(): Promise<ReadonlyMap<string, Tool>> {
  const tools = new Map<string, Tool>();
  for (const action of REGISTRY) {
    tools.set(action.name, toolOf(action));
    await setImmediate();
  }
  return tools;
}

function toolOf(action: Action): Tool {
  const { name, summary, description, effect, input, output } = action;
  const envelope = z.looseObject({
    success: z.boolean().describe('false: the action was refused, and error says why'),
    data: output.optional().describe('The output of the action'),
    error: z.string().optional().describe('The reason of the refusal, and what to do next'),
  });
  return {
    name,
    title: summary,
    description,
    inputSchema: jsonSchema(input, 'input'),
    outputSchema: jsonSchema(envelope, 'output'),
    annotations: {
      title: summary,
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'destroy',
      idempotentHint: action.idempotent,
      openWorldHint: action.reachesOut ?? false,
    },
  };
}
