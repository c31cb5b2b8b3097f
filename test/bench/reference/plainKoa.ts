/** (c): the same work and delivery in plain Koa, with MongoDB calls of its own for each lead, and no durable execution. */
import type { Bench } from '../bench.js';
import { startHelper } from '../processes.js';
import { startLeadReference, type Reference } from './reference.js';

export const startPlainKoa = (bench: Bench): Promise<Reference> =>
  startLeadReference(bench, {
    name: 'Plain Koa',
    database: 'bench_plain',
    start: async (env) => [await startHelper('reference/plainKoaProcess.js', [], env)],
  });
