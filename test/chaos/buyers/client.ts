/** Starts the buyers' process and sends it commands. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { JournalLine } from '../evidence/evidence.js';
import type { Identity } from './arrival.js';
import { TIMES, type BuyerMode, type Times } from './behaviors.js';
import type { BuyerSpec } from './buyer.js';
import { readJournal } from './journal.js';
import type { BuyersSetup, FromBuyers, ToBuyers } from './messages.js';

export interface BuyersOptions {
  seed: string;
  /** Path of the journal; the buyers remember what it already contains. */
  journal: string;
  /** Each with a different name. */
  buyers: readonly BuyerSpec[];
  times?: Partial<Times>;
}

export interface Buyers {
  /** Of the currently running process. */
  readonly pid: number;
  /** The URL for this buyer's leads: a port of its own and its name as the path. Stays the same over restarts. */
  url(name: string): string;
  /** In effect for all requests after this resolves; for one buyer, or for all when none is named. */
  control(order: { buyer?: string; mode: BuyerMode }): Promise<void>;
  /** Tells buyers, by name, their ids and secrets, so that they notice requests meant for others. */
  introduce(identities: Record<string, Identity>): Promise<void>;
  /** All complete lines that are on disk by now. */
  journal(): Promise<JournalLine[]>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Starts the process again when it is not running: same ports, modes and memory. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const PROCESS = fileURLToPath(new URL('./process.js', import.meta.url));

/** @throws {Error} when the process ends before it is ready */
export async function startBuyers(options: BuyersOptions): Promise<Buyers> {
  const setup: BuyersSetup = {
    ...options,
    buyers: options.buyers.map((buyer) => ({ ...buyer })),
    times: { ...TIMES, ...options.times },
  };
  const find = (name: string) => {
    const buyer = setup.buyers.find((one) => one.name === name);
    if (!buyer) throw new Error(`There is no buyer named ${name}`);
    return buyer;
  };
  let running = await launch(setup);
  const end = async (how: (child: ChildProcess) => void): Promise<void> => {
    const { child, gone } = running;
    if (child.exitCode === null && child.signalCode === null) how(child);
    await gone;
  };
  return {
    get pid() {
      return running.child.pid ?? 0;
    },
    url: (name) => `http://127.0.0.1:${find(name).port ?? 0}/${name}`,
    async control({ buyer, mode }) {
      // Kept here too, for the process that replaces a killed one.
      for (const one of buyer === undefined ? setup.buyers : [find(buyer)]) one.mode = mode;
      const order = { kind: 'behave', mode } as const;
      await running.ask(buyer === undefined ? order : { ...order, buyer });
    },
    async introduce(identities) {
      for (const [name, identity] of Object.entries(identities)) find(name).identity = identity;
      await running.ask({ kind: 'introduce', identities });
    },
    journal: () => readJournal(options.journal),
    kill: () => end((child) => child.kill('SIGKILL')),
    async restart() {
      const { child } = running;
      if (child.exitCode === null && child.signalCode === null) return;
      running = await launch(setup);
    },
    stop: () => end((child) => child.send({ kind: 'stop' } satisfies ToBuyers)),
  };
}

type Order = Exclude<ToBuyers, { kind: 'stop' }>;
type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

interface Running {
  child: ChildProcess;
  gone: Promise<unknown>;
  /** Resolves when the command is done, or when the process is gone: the next process gets it at its start. */
  ask(order: WithoutId<Order>): Promise<void>;
}

/** Starts the process, and stores the ports it took in the setup. */
async function launch(setup: BuyersSetup): Promise<Running> {
  const child = fork(PROCESS, [JSON.stringify(setup)], {
    execArgv: ['--enable-source-maps'],
    env: { PATH: process.env.PATH },
  });
  const gone = once(child, 'exit');
  const asked = new Map<number, (error?: string) => void>();
  let lastId = 0;
  const ready = new Promise<Record<string, number>>((resolve, reject) => {
    child.on('message', (message: FromBuyers) => {
      if (message.kind === 'ready') resolve(message.ports);
      else asked.get(message.id)?.(message.error);
    });
    child.once('exit', () => {
      asked.forEach((done) => done());
      reject(new Error('The buyers ended before they were ready'));
    });
  });
  const ports = await ready;
  for (const buyer of setup.buyers) buyer.port = ports[buyer.name];
  return {
    child,
    gone,
    ask: (order) =>
      new Promise((resolve, reject) => {
        if (!child.connected) {
          resolve();
          return;
        }
        const id = ++lastId;
        asked.set(id, (error) => {
          asked.delete(id);
          if (error === undefined) resolve();
          else reject(new Error(error));
        });
        child.send({ ...order, id }, (error) => {
          if (error) asked.get(id)?.();
        });
      }),
  };
}
