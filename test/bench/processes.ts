/** Helper processes of the benchmark, ready when they report so, ended by pid. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Helper {
  url: string;
  /** URL of its metrics; empty when it has none. */
  healthUrl: string;
  child: ChildProcess;
  stop(): Promise<void>;
}

/** The message of a process that serves. */
interface Ready {
  url?: string | null;
  health_url?: string | null;
}

/** The processes themselves, for meters. */
export const pidsOf = (helpers: readonly Helper[]): number[] =>
  helpers.map(({ child }) => child.pid ?? 0);

const running = new Set<ChildProcess>();
// When the benchmark ends for any reason, its helpers end too.
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

export async function startHelper(
  file: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
  flags: readonly string[] = [],
): Promise<Helper> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  // The helpers get the flags of this process, such as --cpu-prof.
  const child = spawn(process.execPath, [...process.execArgv, ...flags, path, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'inherit', 'pipe'],
    // In a process group of its own, so that this process, which generates the load, shares its group with no other.
    detached: true,
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const lines = createInterface({ input: child.stderr });
  const ready = await new Promise<Ready>((resolve, reject) => {
    lines.on('line', (line) => {
      if (line.includes('"msg":"ready"')) resolve(JSON.parse(line) as Ready);
    });
    child.once('exit', () => reject(new Error(`${file} ended before it was ready`)));
  });
  let isWanted = true;
  // A caller would wait for its answers for ever, and the others' figures would belong to another service.
  child.once('exit', (code, signal) => {
    if (!isWanted) return;
    process.stderr.write(
      `${file} ended in the middle of the run: ${signal ?? `exit code ${code}`}\n`,
    );
    process.exit(1);
  });
  return {
    url: ready.url ?? '',
    healthUrl: ready.health_url ?? '',
    child,
    async stop() {
      isWanted = false;
      if (child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
      await exited;
      clearTimeout(timer);
    },
  };
}
