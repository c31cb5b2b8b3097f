/** The mark of Leadwire: a line that takes leads from one point to two. Pages show it beside the name, browsers in tabs. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Endpoint } from '../../../api/http/endpoint.js';
import { sendFile, servedFile } from '../../../api/http/servedFile.js';

const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32">
<rect width="32" height="32" rx="8" fill="#4a4fe0"/>
<path d="M8 16h6c3 0 4-6 8-6h2M14 16c3 0 4 6 8 6h2" fill="none" stroke="#ffffff" stroke-width="2.5" stroke-linecap="round"/>
<circle cx="8" cy="16" r="3" fill="#ffffff"/>
</svg>
`;

const bytes = Buffer.from(MARK);
const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
const file = servedFile(bytes, 'image/svg+xml');

/** Where pages find it; the address changes with its content. */
export const MARK_PATH = `/style/leadwire-${hash}.svg` as const;

export const mark: Endpoint = {
  id: 'mark',
  method: 'get',
  path: MARK_PATH,
  summary: 'The mark of Leadwire',
  description: 'Its address changes with its content.',
  tag: 'api',
  auth: 'public',
  produces: 'image/svg+xml',
  outputs: { 200: z.string() },
  errors: [],
  handle: (call) =>
    sendFile(file, call, {
      'cache-control': 'public, max-age=31536000, immutable',
      // It is a picture, and no page, where somebody opens its address.
      'content-security-policy': "default-src 'none'; style-src 'none'; frame-ancestors 'none'",
    }),
};
