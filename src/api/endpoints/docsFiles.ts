/** The files of the reference page: Swagger UI as its package has it, and the script that starts it. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { loadOnce } from '../../lib/loadOnce.js';
import { servedFile } from '../http/servedFile.js';
import { type ServedFile } from '../http/deps.js';

const HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Leadwire API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="stylesheet" href="/docs/page.css">
  </head>
  <body>
    <main id="reference"><noscript>
      <p>This page needs JavaScript. The same as data: <a href="/api/v1/openapi.json">openapi.json</a></p>
    </noscript></main>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/page.js"></script>
  </body>
</html>
`;

/** Operations are tried at the host that served the page, by the name in its address. */
const SCRIPT = `'use strict';
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', paint);
paint();
fetch('/api/v1/openapi.json')
  .then((answer) => answer.json())
  .then((spec) =>
    window.SwaggerUIBundle({
      spec: { ...spec, servers: [{ url: window.location.origin, description: 'This host' }] },
      dom_id: '#reference',
      deepLinking: true,
      docExpansion: 'list',
      filter: true,
      displayRequestDuration: true,
      defaultModelsExpandDepth: 0,
      persistAuthorization: false,
      validatorUrl: null,
      tryItOutEnabled: false,
      syntaxHighlight: { theme: 'agate' },
    }),
  )
  .catch((error) => {
    document.getElementById('reference').textContent =
      'The description of the API could not be loaded: ' + error.message;
  });
`;

const STYLE = `body { margin: 0; background: #fff; }
html.dark-mode body { background: #1c2022; color: #e4e6e6; }
.swagger-ui .info { margin: 24px 0; }
.swagger-ui :focus-visible { outline: 2px solid #4990e2; outline-offset: 2px; }
`;

const requireHere = createRequire(import.meta.url);
const packaged = (name: string) => () => readFile(requireHere.resolve(`swagger-ui-dist/${name}`));
const own = (text: string) => () => Promise.resolve(Buffer.from(text));

const CSS = 'text/css; charset=utf-8';
const JS = 'text/javascript; charset=utf-8';

const served = (type: string, load: () => Promise<Buffer>) =>
  loadOnce(async () => servedFile(await load(), type));

/** By name, so that the process never opens a path from the caller. */
const FILES = new Map<string, () => Promise<ServedFile>>([
  ['index.html', served('text/html; charset=utf-8', own(HTML))],
  ['page.js', served(JS, own(SCRIPT))],
  ['page.css', served(CSS, own(STYLE))],
  ['swagger-ui-bundle.js', served(JS, packaged('swagger-ui-bundle.js'))],
  ['swagger-ui.css', served(CSS, packaged('swagger-ui.css'))],
]);

/** Read on the first request, and kept; undefined for a name that is not one of them. */
export const docsFile = async (name: string): Promise<ServedFile | undefined> =>
  FILES.get(name)?.();
