/** The receiver of events in a process of its own: the second witness of what was delivered. */
import { openJournal } from '../buyers/journal.js';
import type { ReceivedLine } from './evidence.js';
import { openReceiver, type Sender } from './receiver.js';

/** The first argument of the process, as JSON. */
export interface ReceiverSetup {
  seed: string;
  /** Path of the journal. */
  journal: string;
}

export type ToReceiver =
  { kind: 'introduce'; senders: Record<string, Sender> } | { kind: 'calm' } | { kind: 'stop' };

/** `done`: the command is in effect from now on. */
export type FromReceiver = { kind: 'ready'; port: number } | { kind: 'done' };

const tell = (message: FromReceiver): void => void process.send?.(message);

function fatal(error: unknown): never {
  const text = error instanceof Error ? error.stack : String(error);
  process.stderr.write(`The receiver ends: ${text}\n`);
  process.exit(1);
}

async function main({ seed, journal: file }: ReceiverSetup): Promise<void> {
  const journal = await openJournal<ReceivedLine>(file);
  const receiver = await openReceiver({ seed, journal, onFatal: fatal });
  process.on('message', (message: ToReceiver) => {
    if (message.kind === 'stop') {
      journal.close().then(() => process.exit(0), fatal);
      return;
    }
    if (message.kind === 'introduce') receiver.introduce(message.senders);
    else receiver.calm();
    tell({ kind: 'done' });
  });
  // The process that sends commands is gone.
  process.on('disconnect', () => process.exit(0));
  tell({ kind: 'ready', port: receiver.port });
}

// Ctrl-C goes to the whole terminal group; the process that started this one ends it.
process.on('SIGINT', () => undefined);
main(JSON.parse(process.argv[2] ?? '{}') as ReceiverSetup).catch(fatal);
