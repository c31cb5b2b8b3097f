/** Starts the buyers' process and tells it what to do. */
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
  /** File of the journal; what is in it already, the buyers remember. */
  journal: string;
  /** By different names. */
  buyers: readonly BuyerSpec[];
  times?: Partial<Times>;
}

export interface Buyers {
  /** Of the process as it runs now. */
  readonly pid: number;
  /** Where this buyer takes its leads: a port of its own and its name as the path. Stays over restarts. */
  url(name: string): string;
  /** Holds for all requests after this resolves; for one buyer, or for all when none is named. */
  control(order: { buyer?: string; mode: BuyerMode }): Promise<void>;
  /** Tells buyers by name who they are, so that they notice requests meant for others. */
  introduce(identities: Record<string, Identity>): Promise<void>;
  /** All whole lines that are on the disk by now. */
  journal(): Promise<JournalLine[]>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Starts the process again where it is not running: same ports, modes and memory. */
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
      // Kept here too, for the process that comes after a kill.
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
  /** Resolves when it is done, or when the process is gone: the next one is told when it starts. */
  ask(order: WithoutId<Order>): Promise<void>;
}

/** Starts the process, and writes the ports it took into the set-up. */
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
