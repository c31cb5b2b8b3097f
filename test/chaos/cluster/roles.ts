/** The service's roles as processes that can be killed at any moment and are started again at once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Role } from '../../../src/app/role.js';
import type { RoleMessage } from './roleProcess.js';
import { supervise, type Starter, type Victim } from './supervised.js';

export interface RoleOptions {
  role: Role;
  /** Distinguishes two processes of one role. */
  name: string;
  env: Record<string, string>;
  logDir: string;
  /** What `reconcile` mended in this process. */
  onReconciled: (kind: string, count: number) => void;
  /** A state that this process met and no record shows. */
  onMet: (state: string) => void;
}

const ROLE_PROCESS = fileURLToPath(new URL('./roleProcess.js', import.meta.url));

export const superviseRole = (options: RoleOptions): Victim =>
  supervise({ name: options.name, start: (began) => startRole(options, began) });

/** It ends by itself when this process ends for any reason. */
async function startRole(
  { role, name, env, logDir, onReconciled, onMet }: RoleOptions,
  began: Parameters<Starter['start']>[0],
): Promise<void> {
  const log = openSync(join(logDir, `${name}.log`), 'a', 0o600);
  const child = spawn(process.execPath, [ROLE_PROCESS, role], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const exited = once(child, 'exit');
  began({ pid: child.pid ?? 0, exited });
  const ready = new Promise<void>((resolve) => {
    child.on('message', (message) => {
      const news = message as RoleMessage;
      if (news.type === 'ready') resolve();
      else if (news.type === 'met') onMet(news.state);
      else onReconciled(news.kind, news.count);
    });
  });
  const gone = exited.then(() => {
    throw new Error(`${name} ended before it was ready`);
  });
  await Promise.race([ready, gone]);
}
