// Builds this package into `dist`: its types from the OpenAPI document of the service in this repository, by
// @hey-api/openapi-ts, and its few lines of own code. Run `npm ci && npm run build` in the root of the repository before.
// Usage: node build.mjs [folder instead of dist]
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '../..');
const out = resolve(process.argv[2] ?? join(HERE, 'dist'));

const { apiDescription } = await import(join(ROOT, 'dist/src/api/openapi/description.js'));
const document = JSON.parse(apiDescription({})().bytes.toString('utf8'));

// Inside the package, so that the compiler finds its settings and its module type.
const work = mkdtempSync(join(HERE, '.build-'));
try {
  cpSync(join(HERE, 'src'), join(work, 'src'), { recursive: true });
  await createClient({
    input: document,
    output: { path: join(work, 'src/types'), module: { extension: '.js' } },
    plugins: ['@hey-api/typescript'],
    logs: { level: 'silent', file: false },
  });
  writeFileSync(join(work, 'src/actions.ts'), actionsOf(document));
  writeFileSync(join(work, 'src/index.ts'), readFileSync(join(HERE, 'index.txt'), 'utf8'));
  const settings = {
    extends: '../tsconfig.json',
    compilerOptions: { rootDir: 'src', outDir: out },
  };
  writeFileSync(join(work, 'tsconfig.json'), JSON.stringify({ ...settings, include: ['src'] }));
  rmSync(out, { recursive: true, force: true });
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', work], { stdio: 'inherit' });
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Input and output of each action, by its name. */
function actionsOf({ paths }) {
  const names = Object.values(paths).flatMap(({ post }) => post?.['x-action'] ?? []);
  const lines = names.map((name) => {
    const type = name.replace(/(?:^|_)([a-z0-9])/g, (_, letter) => letter.toUpperCase());
    return `  ${name}: { input: NonNullable<types.${type}Data['body']>; data: types.${type}Responses[200]['data'] };`;
  });
  return `import type * as types from './types/types.gen.js';\n\nexport type Actions = {\n${lines.join('\n')}\n};\n`;
}
