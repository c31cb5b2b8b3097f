/** Starts the receiver's process and sends it commands. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { readJournal } from '../buyers/journal.js';
import type { ReceivedLine } from './evidence.js';
import type { Sender } from './receiver.js';
import type { FromReceiver, ReceiverSetup, ToReceiver } from './receiverProcess.js';

export interface ReceiverProcess {
  /** Where an automation sends its events. */
  url(path: string): string;
  introduce(senders: Record<string, Sender>): Promise<void>;
  calm(): Promise<void>;
  /** All complete lines that are on disk by now. */
  received(): Promise<ReceivedLine[]>;
  stop(): Promise<void>;
}

const PROCESS = fileURLToPath(new URL('./receiverProcess.js', import.meta.url));

/** @throws {Error} when the process ends before it is ready */
export async function startReceiver(setup: ReceiverSetup): Promise<ReceiverProcess> {
  const child = fork(PROCESS, [JSON.stringify(setup)], {
    execArgv: ['--enable-source-maps'],
    env: { PATH: process.env.PATH },
  });
  const gone = once(child, 'exit');
  const heard = async (): Promise<FromReceiver> => {
    const message = once(child, 'message') as Promise<[FromReceiver]>;
    const ended = gone.then(() => Promise.reject(new Error('The receiver of events has ended')));
    const [said] = await Promise.race([message, ended]);
    return said;
  };
  const ask = async (message: ToReceiver): Promise<void> => {
    const done = heard();
    child.send(message);
    await done;
  };
  const first = await heard();
  const port = first.kind === 'ready' ? first.port : 0;
  return {
    url: (path) => `http://127.0.0.1:${port}/${path}`,
    introduce: (senders) => ask({ kind: 'introduce', senders }),
    calm: () => ask({ kind: 'calm' }),
    received: () => readJournal<ReceivedLine>(setup.journal),
    async stop() {
      if (child.exitCode === null && child.signalCode === null)
        child.send({ kind: 'stop' } satisfies ToReceiver);
      await gone;
    },
  };
}
