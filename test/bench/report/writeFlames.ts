/** The flame graphs of a run, from the profiles that its processes wrote when they ended. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { flameOf, type CpuProfile } from './flame.js';

/** A process whose profile is wanted. */
export interface Profiled {
  name: string;
  pid: number;
}

/**
 * Writes `<name>.svg` for the main thread of each process, and `<name>-workflows.svg` for its thread of workflows.
 * @param profiles the folder of `--cpu-prof-dir`
 * @returns the names of the files
 */
export async function writeFlames(
  profiles: string,
  processes: readonly Profiled[],
  folder: string,
): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const threads = (await readdir(profiles)).map(threadOf).filter((thread) => thread !== null);
  const written: string[] = [];
  for (const { name, pid } of processes) {
    for (const thread of threads.filter((one) => one.pid === pid)) {
      const profile = JSON.parse(await readFile(join(profiles, thread.file), 'utf8')) as CpuProfile;
      const isMain = thread.id === 0;
      // The thread of workflows is the only one that runs their bundle.
      if (!isMain && !profile.nodes.some(({ callFrame }) => isBundle(callFrame.url))) continue;
      const file = isMain ? `${name}.svg` : `${name}-workflows.svg`;
      const title = isMain ? `${name}, main thread` : `${name}, thread of workflows`;
      await writeFile(join(folder, file), flameOf(profile, title));
      written.push(file);
    }
  }
  return written;
}

const isBundle = (url: string): boolean => url.includes('workflow-bundle');

/** `CPU.<date>.<time>.<pid>.<thread>.<number>.cpuprofile`, as Node.js names it. */
function threadOf(file: string): { file: string; pid: number; id: number } | null {
  const [, pid, id] = /^CPU\.\d+\.\d+\.(\d+)\.(\d+)\.\d+\.cpuprofile$/.exec(file) ?? [];
  return pid === undefined ? null : { file, pid: Number(pid), id: Number(id) };
}
