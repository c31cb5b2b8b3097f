import { describe, expect, it } from '@jest/globals';
import { parseDockerfile } from './dockerfile.js';
import { dockerfileFaults, type Places } from './dockerfileFaults.js';
import { COMPILED, manifest, readRoot, ROOT } from './repository.js';

const TEXT = readRoot('Dockerfile');
const places: Places = {
  root: ROOT,
  compiled: COMPILED,
  ignore: readRoot('.dockerignore').split('\n'),
  engine: manifest().engines.node,
};

describe('the Dockerfile', () => {
  it('has no fault', () => {
    expect(dockerfileFaults(parseDockerfile(TEXT), places)).toEqual([]);
  });

  it('gets only the files that it copies', () => {
    expect(places.ignore).toContain('*');
    const allowed = places.ignore.filter((line) => line.startsWith('!'));
    for (const line of allowed) expect(TEXT).toMatch(new RegExp(`^COPY .*${line.slice(1)}`, 'm'));
  });
});

describe('the check of the Dockerfile', () => {
  it.each([
    [
      /node:24\.21\.0-bookworm-slim@\S+/,
      'node:24',
      'base: node:24 is neither pinned nor an earlier stage',
    ],
    ['node:24.21.0-bookworm-slim', 'node:22.21.0-bookworm-slim', 'is no Node >=24'],
    ['FROM base AS build', 'FROM bases AS build', 'build: bases is neither pinned nor'],
    ['COPY cli ./cli', 'COPY clis ./clis', 'clis is not in the repository'],
    ['COPY cli ./cli', 'COPY docs ./docs', '.dockerignore keeps docs out'],
    ['--from=build', '--from=compile', 'compile is no stage'],
    ['/app/dist/cli', '/app/dist/shell', 'the build makes no shell'],
    ['/app/dist/src ./dist/src', '/app/dist ./dist', '/app/dist brings tests along'],
    ['dist/src/main.js', 'dist/main.js', 'starts "dist/main.js", which the build does not make'],
    [/ENTRYPOINT .*/, 'ENTRYPOINT node dist/src/main.js', 'ENTRYPOINT is not in its exec form'],
    ['USER 1000:1000', 'USER 0:0', 'the last stage runs as root'],
    [/USER .*\n/, '', 'the last stage runs as root'],
    [/HEALTHCHECK .*\n.*\n/, '', 'there is no health check'],
    ['/readyz', '/healthz', 'the health check does not ask whether the process is ready'],
    ['NODE_ENV=production', 'NODE_ENV=test', 'NODE_ENV is not production'],
    ['HEALTH_PORT=8081', 'HEALTHPORT=8081', 'HEALTHPORT is no setting'],
    ['EXPOSE 8080 8081', 'EXPOSE 8080', 'the port 8081 is not exposed'],
    [/ && rm -rf .*/, '', 'keeps the Node of the package beside its own'],
    [' --omit=dev', '', 'the packages of the last stage are not from npm ci --omit=dev'],
  ])('detects the problem when %s is %j', (from, to, fault) => {
    const text = TEXT.replaceAll(typeof from === 'string' ? from : new RegExp(from, 'g'), to);
    expect(text).not.toBe(TEXT);
    expect(dockerfileFaults(parseDockerfile(text), places).join('\n')).toContain(fault);
  });
});
