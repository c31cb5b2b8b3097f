/** The description of the API (contract 9.1): public, so that tools can read it. */
import { z } from 'zod';
import type { HttpDeps } from '../http/deps.js';
import type { Call, Endpoint, Reply } from '../http/endpoint.js';
import { sendFile } from '../http/servedFile.js';

export const openapiDocument: Endpoint = {
  id: 'getOpenapi',
  method: 'get',
  path: '/api/v1/openapi.json',
  summary: 'This description of the API',
  description:
    'The whole API as an OpenAPI 3.1 document: every endpoint, and every action with the schemas of its input and ' +
    'output. /docs shows it as a web page.',
  tag: 'api',
  auth: 'public',
  headers: z.object({
    'If-None-Match': z
      .string()
      .optional()
      .describe('The ETag of a cached copy: 304 if it is still current'),
  }),
  outputs: {
    200: z
      .looseObject({
        openapi: z.literal('3.1.0').describe('The version of OpenAPI'),
        info: z.looseObject({}).describe('About this API'),
        paths: z.looseObject({}).describe('Every operation, by path and method'),
      })
      .meta({
        description: 'The document.',
        examples: [{ openapi: '3.1.0', info: { title: 'Leadwire API' }, paths: {} }],
      }),
    304: z.void(),
  },
  answerHeaders: ['ETag'],
  errors: [],
  handle: (call: Call, { description }: Pick<HttpDeps, 'description'>): Promise<Reply> =>
    sendFile(description(), call, { 'cache-control': 'public, max-age=300' }),
};
