/** The reference page: the description of the API, made readable by Swagger UI, all from here. */
import { z } from 'zod';
import { AppError } from '../../lib/errors.js';
import { docsFile } from './docsFiles.js';
import type { Call, Endpoint, Reply } from '../http/endpoint.js';
import { sendFile } from '../http/servedFile.js';

/** Nothing from other hosts, no inline script, no frame. */
const SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
  'cache-control': 'public, max-age=300',
};

const page = {
  method: 'get',
  tag: 'api',
  auth: 'public',
  produces: 'text/html',
  outputs: { 200: z.string() },
  errors: [],
} as const;

export const docsPage: Endpoint = {
  ...page,
  id: 'docs',
  path: '/docs',
  summary: 'The reference page',
  description: 'The API reference as a web page, where operations can be tried.',
  handle: (call) => show('index.html', call),
};

export const docsAsset: Endpoint = {
  ...page,
  id: 'docsAsset',
  path: '/docs/:file',
  summary: 'A part of the reference page',
  description: 'Its scripts and styles.',
  handle: (call) => show(call.param('file'), call),
};

/** Opening the bare address shows what this service is. */
export const startPage: Endpoint = {
  ...page,
  id: 'start',
  path: '/',
  summary: 'Redirect to the reference page',
  description: 'Redirects to /docs.',
  handle: () =>
    Promise.resolve({
      status: 302,
      headers: { location: '/docs' },
      body: { see: '/docs', openapi: '/api/v1/openapi.json' },
    }),
};

async function show(name: string, call: Call): Promise<Reply> {
  const file = await docsFile(name);
  if (!file) throw new AppError('not_found', `Nothing exists at /docs/${name.slice(0, 100)}.`);
  return sendFile(file, call, HEADERS);
}
