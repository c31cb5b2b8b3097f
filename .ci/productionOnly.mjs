// Reads an SBOM of all packages, and writes that of those which production has. `npm sbom --omit dev` leaves out also what
// production and development share.
import { readFileSync } from 'node:fs';
import { stdin, stdout } from 'node:process';
import { json } from 'node:stream/consumers';

const sbom = await json(stdin);
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const production = new Set(
  Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, { version }]) => `${nameOf(path)}@${version}`),
);
const components = sbom.components.filter(({ name, version }) =>
  production.has(`${name}@${version}`),
);
const refs = new Set([sbom.metadata.component, ...components].map((one) => one['bom-ref']));
const dependencies = sbom.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((on) => refs.has(on)) }));
stdout.write(`${JSON.stringify({ ...sbom, components, dependencies }, null, 2)}\n`);
