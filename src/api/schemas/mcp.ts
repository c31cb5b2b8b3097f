/** The wire contract of the MCP endpoint: JSON-RPC 2.0, as the Model Context Protocol uses it. */
import { z } from 'zod';

const Version = z.literal('2.0').describe('The version of JSON-RPC');
const Id = z.union([z.string(), z.number()]).describe('Returned with the answer');

const Message = z.looseObject({
  jsonrpc: Version,
  id: Id.optional().describe('Returned with the answer; a message without it gets no answer'),
  method: z.string().describe('Such as initialize, server/discover, tools/list, tools/call'),
  params: z
    .looseObject({})
    .nullable()
    .optional()
    .describe('For tools/call: the name of the tool, and its arguments'),
});

/** JSON-RPC 2.0, 6: the fault of one of several is in its place of the answer. */
const Several = z.array(z.unknown()).min(1).max(30);

export const McpInput = z
  .union([Message, Several])
  .describe(
    'One message; or, in revision 2025-03-26 and before, several, each answered separately',
  );

const ErrorObject = z.object({
  code: z.number().int().describe('A code of JSON-RPC or of MCP'),
  message: z.string().describe('What is wrong, for people and assistants'),
  data: z.looseObject({}).optional().describe('Details for programs'),
});

export const McpFault = z
  .object({
    jsonrpc: Version,
    id: Id.nullable().describe('null when the id of the message could not be read'),
    error: ErrorObject,
  })
  .describe('The message was not understood');

const Result = z.object({
  jsonrpc: Version,
  id: Id,
  result: z
    .looseObject({})
    .describe('For tools/call: content, structuredContent and isError; also for refused tools'),
});

export const McpReplies = z
  .union([Result, McpFault, z.array(z.union([Result, McpFault]))])
  .describe('As JSON; or, where text/event-stream is accepted, as an event of its own');

export const McpNothing = z.void().describe('No message of the request needs an answer');
