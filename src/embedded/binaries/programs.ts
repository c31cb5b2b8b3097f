import type { Reporter } from '../reporter.js';
import { ensureBinary, type BinaryRequest } from './binary.js';
import { checkBinary } from './check.js';
import { mongodInstallers } from './mongodInstallers.js';
import { temporalInstallers } from './temporalInstallers.js';

/** Paths of the server programs to start; absent: that server is an outside one. */
export interface Programs {
  mongod?: string;
  temporal?: string;
}

export interface ProgramOptions {
  cacheDir: string;
  reporter: Reporter;
  mongodbUri?: string;
  temporalAddress?: string;
  mongodPath?: string;
  temporalPath?: string;
}

/** Finds or gets a program for each server that is not given. */
export async function findPrograms(options: ProgramOptions): Promise<Programs> {
  const { cacheDir, reporter } = options;
  const searchPath = process.env.PATH ?? '';
  const find = (request: Pick<BinaryRequest, 'name' | 'variable' | 'given' | 'installers'>) =>
    ensureBinary({
      ...request,
      cacheDir,
      reporter,
      searchPath,
      check: (path) => checkBinary(request.name, path),
    });
  const programs: Programs = {};
  if (!options.mongodbUri) {
    programs.mongod = await find({
      name: 'mongod',
      variable: 'LEADWIRE_MONGOD',
      given: options.mongodPath,
      installers: mongodInstallers,
    });
  }
  if (!options.temporalAddress) {
    programs.temporal = await find({
      name: 'temporal',
      variable: 'LEADWIRE_TEMPORAL',
      given: options.temporalPath,
      installers: temporalInstallers,
    });
  }
  return programs;
}
