/** The actions as MCP shows them: tools with their schemas, and hints for whoever decides what may run unasked. */
import { z } from 'zod';
import type { Action } from '../actions/action.js';
import { REGISTRY } from '../actions/registry.js';

type JsonSchema = Record<string, unknown>;

export interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema;
  /** Of the envelope, `structuredContent`; a refusal fits it too, as clients check those as well. */
  outputSchema: JsonSchema;
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

let made: Map<string, Tool> | undefined;

/** The tools of these actions, in the order of the registry. The schemas are made once, when somebody asks. */
export function toolsOf(actions: readonly Action[]): Tool[] {
  made ??= new Map(REGISTRY.map((action) => [action.name, toolOf(action)]));
  const tools = made;
  return actions.flatMap(({ name }) => tools.get(name) ?? []);
}

function toolOf(action: Action): Tool {
  const { name, summary, description, effect, input, output } = action;
  const envelope = z.looseObject({
    success: z.boolean().describe('false: it was refused, and error says why'),
    data: output.optional().describe('What the action gives'),
    error: z.string().optional().describe('Why it was refused, and what to do next'),
  });
  return {
    name,
    title: summary,
    description,
    inputSchema: schemaOf(input, 'input'),
    outputSchema: schemaOf(envelope, 'output'),
    annotations: {
      title: summary,
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'destroy',
      idempotentHint: action.idempotent,
      openWorldHint: action.reachesOut ?? false,
    },
  };
}

/** Without `$schema`: draft 2020-12 is what MCP takes a schema for, and some clients stumble over the key. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const json: JsonSchema = z.toJSONSchema(schema, { io });
  delete json.$schema;
  return json;
}
