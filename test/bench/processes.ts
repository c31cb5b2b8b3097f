/** Helper processes of the benchmark, ready when they say so, ended by pid. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Helper {
  url: string;
  child: ChildProcess;
  stop(): Promise<void>;
}

export async function startHelper(
  file: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Helper> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const lines = createInterface({ input: child.stderr });
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      if (!line.includes('"msg":"ready"')) return;
      resolve((JSON.parse(line) as { url?: string | null }).url ?? '');
    });
    child.once('exit', () => reject(new Error(`${file} ended before it was ready`)));
  });
  return {
    url,
    child,
    async stop() {
      if (child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
      await exited;
      clearTimeout(timer);
    },
  };
}
