import { setTimeout as sleep } from 'node:timers/promises';
import { formatElapsed, messageOf } from './format.js';
import type { Guard, RunningServer } from './guardClient.js';
import type { ServerName } from './guardMessages.js';
import { choosePorts, requirePorts } from './ports.js';
import { lastLines, logSize, readLog, rotateLog } from './serverLog.js';

/** What is known of a server that is starting. */
interface Candidate {
  pid: number;
  ports: readonly number[];
  /** What it has logged since it started. */
  log: () => string;
}

export interface LaunchPlan {
  name: ServerName;
  program: string;
  logFile: string;
  /** The ports to try first; 0 for any. */
  ports: readonly number[];
  /** Those ports or none: others know the server by them. */
  isFixed?: boolean;
  args(ports: readonly number[]): string[];
  /** Checks the server. False: not yet. A throw is "not yet" too, and its reason is kept. */
  isReady(candidate: Candidate): Promise<boolean>;
}

const PORT_ATTEMPTS = 5;
const READY_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 50;

/**
 * Starts a server, waits until it answers, at most 60 seconds, and returns its ports. When another process took its
 * port in the meantime, it is started again on another, unless its ports are fixed.
 * @throws {Error} with the reason and the last lines of the server's log
 */
export async function launch(guard: Guard, plan: LaunchPlan): Promise<readonly number[]> {
  rotateLog(plan.logFile);
  for (let attempt = 1; ; attempt += 1) {
    const ports = plan.isFixed
      ? await requirePorts(plan.ports)
      : await choosePorts(attempt === 1 ? plan.ports : plan.ports.map(() => 0));
    const from = logSize(plan.logFile);
    const log = () => readLog(plan.logFile, from);
    const { name, program: command, logFile } = plan;
    const server = await guard.start({ name, command, args: plan.args(ports), logFile });
    const problem = await waitUntilReady(plan, server, { pid: server.pid, ports, log });
    if (!problem) return ports;
    const mayMove = !plan.isFixed && attempt < PORT_ATTEMPTS;
    if (mayMove && /address already in use/i.test(log())) continue;
    const lines = lastLines(log()).map((line) => `    ${line}`);
    throw new Error([`${name} ${problem}. Its log ends:`, ...lines, `  (${logFile})`].join('\n'));
  }
}

/** Null when it is ready, else what went wrong. */
async function waitUntilReady(
  plan: LaunchPlan,
  server: RunningServer,
  candidate: Candidate,
): Promise<string | null> {
  const waiting = { over: false, lastError: '' };
  const exit = server.exited.then(({ code, signal }) => {
    waiting.over = true;
    return `ended while starting (${signal ?? `exit code ${String(code)}`})`;
  });
  const ready = async () => {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    while (!waiting.over && Date.now() < deadline) {
      try {
        if (await plan.isReady(candidate)) return null;
      } catch (error) {
        waiting.lastError = messageOf(error);
      }
      await sleep(POLL_INTERVAL_MS);
    }
    const reason = waiting.lastError ? ` (${waiting.lastError})` : '';
    return `did not answer within ${formatElapsed(READY_TIMEOUT_MS)}${reason}`;
  };
  return Promise.race([exit, ready()]);
}
