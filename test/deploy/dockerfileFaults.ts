/** The faults of a Dockerfile, one sentence each; empty when there are none. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { listSettings, readConfig } from '../../src/app/config.js';
import { copiesOf, environmentOf, execForm, textsOf, type Stage } from './dockerfile.js';
import { isPinned, isPlainUser } from './images.js';

export interface Places {
  /** The build context. */
  root: string;
  /** The compiled code: `dist` in the image. */
  compiled: string;
  /** The lines of `.dockerignore`. */
  ignore: readonly string[];
  /** The oldest Node version that the package supports: `>=24`. */
  engine: string;
}

export function dockerfileFaults(stages: readonly Stage[], places: Places): string[] {
  const last = stages.at(-1);
  if (!last) return ['there is no stage'];
  return [
    ...stages.flatMap((_, index) => fromFaults(stages, index, places)),
    ...stages.flatMap((stage) => copyFaults(stage, stages, places)),
    ...runtimeFaults(last, places),
    ...environmentFaults(last),
    ...dependencyFaults(last, stages),
  ];
}

function fromFaults(stages: readonly Stage[], index: number, { engine }: Places): string[] {
  const { name, from } = stages[index]!;
  if (stages.slice(0, index).some((earlier) => earlier.name === from)) return [];
  if (!isPinned(from)) return [`${name}: ${from} is neither pinned nor an earlier stage`];
  const [, major = '0'] = /^node:(\d+)\./.exec(from) ?? [];
  const [, least = '0'] = /^>=(\d+)$/.exec(engine) ?? [];
  return Number(major) >= Number(least) ? [] : [`${name}: ${from} is no Node ${engine}`];
}

function copyFaults(stage: Stage, stages: readonly Stage[], places: Places): string[] {
  return copiesOf(stage).flatMap((copy) => {
    if (copy.stage === undefined) return copy.sources.flatMap((path) => sourceFaults(path, places));
    if (!stages.some(({ name }) => name === copy.stage)) return [`${copy.stage} is no stage`];
    return copy.sources
      .filter((path) => path.startsWith('/app/dist/'))
      .map((path) => path.slice('/app/dist/'.length))
      .filter((path) => !existsSync(join(places.compiled, path)))
      .map((path) => `the build makes no ${path}`);
  });
}

function sourceFaults(path: string, { root, ignore }: Places): string[] {
  if (!existsSync(join(root, path))) return [`${path} is not in the repository`];
  return ignore.includes(`!${path}`) ? [] : [`.dockerignore keeps ${path} out`];
}

function runtimeFaults(last: Stage, { compiled }: Places): string[] {
  const entry = execForm(textsOf(last, 'ENTRYPOINT')[0]);
  const program = entry?.find((word) => word.startsWith('dist/')) ?? '';
  const copied = copiesOf(last).flatMap(({ sources }) => sources);
  return [
    ...(entry ? [] : ['ENTRYPOINT is not in its exec form']),
    ...(program !== '' && existsSync(join(compiled, program.slice('dist/'.length)))
      ? []
      : [`ENTRYPOINT starts "${program}", which the build does not make`]),
    ...(isPlainUser(textsOf(last, 'USER').at(-1)) ? [] : ['the last stage runs as root']),
    ...healthFaults(execForm(textsOf(last, 'HEALTHCHECK')[0])),
    ...copied
      .filter((path) => path === '/app/dist' || path.includes('test'))
      .map((path) => `${path} brings tests along`),
  ];
}

/** An upgrade waits for the health check before it replaces the next process. */
function healthFaults(check: readonly string[] | null | undefined): string[] {
  if (!check) return ['there is no health check'];
  const isReadiness = check.some((word) => word.includes('/readyz'));
  return isReadiness ? [] : ['the health check does not ask whether the process is ready'];
}

function environmentFaults(last: Stage): string[] {
  const { NODE_ENV, ...own } = environmentOf(last);
  const known = listSettings().map(({ name }) => name);
  const { port, healthPort } = readConfig(own);
  const exposed = textsOf(last, 'EXPOSE').flatMap((text) => text.split(/\s+/));
  return [
    ...(NODE_ENV === 'production' ? [] : ['NODE_ENV is not production']),
    ...Object.keys(own)
      .filter((name) => !known.includes(name))
      .map((name) => `${name} is no setting`),
    ...[port, healthPort]
      .filter((one) => !exposed.includes(String(one)))
      .map((one) => `the port ${String(one)} is not exposed`),
  ];
}

/** The image keeps only the packages that production needs. */
function dependencyFaults(last: Stage, stages: readonly Stage[]): string[] {
  const copy = copiesOf(last).find(({ sources }) => sources.includes('/app/node_modules'));
  const stage = stages.find(({ name }) => name === copy?.stage);
  const installs = stage ? textsOf(stage, 'RUN').filter((text) => text.startsWith('npm ci')) : [];
  const isLean = installs.length === 1 && installs[0]!.includes('--omit=dev');
  const hasOneNode = installs.every((text) => text.includes('rm -rf node_modules/node-linux-*'));
  return [
    ...(isLean ? [] : ['the packages of the last stage are not from npm ci --omit=dev']),
    ...(hasOneNode ? [] : ['the last stage keeps the Node of the package beside its own']),
  ];
}
