/** Serves the stylesheet under a name that changes with it, so that browsers keep it for good. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Endpoint } from '../../../api/http/endpoint.js';
import { sendFile, servedFile } from '../../../api/http/servedFile.js';
import { STYLE } from './style.css.js';

const bytes = Buffer.from(STYLE.trimStart());
const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
const file = servedFile(bytes, 'text/css; charset=utf-8');

/** Where pages find it. */
export const STYLE_PATH = `/style/pages-${hash}.css` as const;

export const pageStyle: Endpoint = {
  id: 'pageStyle',
  method: 'get',
  path: STYLE_PATH,
  summary: 'The stylesheet of the pages',
  description: 'Its address changes with its content.',
  tag: 'api',
  auth: 'public',
  produces: 'text/css',
  outputs: { 200: z.string() },
  errors: [],
  handle: (call) =>
    sendFile(file, call, { 'cache-control': 'public, max-age=31536000, immutable' }),
};
