/** All buyers of a run in a process of their own: the second witness of what was sold. */
import { TIMES } from './behaviors.js';
import { openBuyer, type Buyer } from './buyer.js';
import { openJournal, readJournal } from './journal.js';
import { createMemory } from './memory.js';
import type { BuyersSetup, FromBuyers, ToBuyers } from './messages.js';

const tell = (message: FromBuyers): void => void process.send?.(message);

function fatal(error: unknown): never {
  process.stderr.write(`The buyers end: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
}

async function main(setup: BuyersSetup): Promise<void> {
  const journal = await openJournal(setup.journal);
  const memory = createMemory(await readJournal(setup.journal));
  const deps = {
    seed: setup.seed,
    times: { ...TIMES, ...setup.times },
    journal,
    memory,
    onFatal: fatal,
  };
  const buyers = new Map<string, Buyer>();
  for (const { port, identity, ...spec } of setup.buyers) {
    const buyer = await openBuyer(spec, deps, port);
    if (identity) buyer.introduce(identity);
    buyers.set(spec.name, buyer);
  }

  const obey = async (message: Exclude<ToBuyers, { kind: 'stop' }>): Promise<void> => {
    const named = (name: string): Buyer => {
      const buyer = buyers.get(name);
      if (!buyer) throw new Error(`There is no buyer named ${name}`);
      return buyer;
    };
    if (message.kind === 'introduce') {
      for (const [name, identity] of Object.entries(message.identities)) {
        named(name).introduce(identity);
      }
      return;
    }
    const meant = message.buyer === undefined ? [...buyers.values()] : [named(message.buyer)];
    await Promise.all(meant.map((buyer) => buyer.behave(message.mode)));
  };

  process.on('message', (message: ToBuyers) => {
    if (message.kind === 'stop') {
      journal.close().then(() => process.exit(0), fatal);
      return;
    }
    obey(message).then(
      () => tell({ kind: 'done', id: message.id }),
      (error: unknown) => tell({ kind: 'done', id: message.id, error: String(error) }),
    );
  });
  // The process that sends commands is gone.
  process.on('disconnect', () => process.exit(0));
  tell({
    kind: 'ready',
    ports: Object.fromEntries([...buyers].map(([name, { port }]) => [name, port])),
  });
}

// Ctrl-C goes to the whole terminal group; the process that started this one ends it.
process.on('SIGINT', () => undefined);
main(JSON.parse(process.argv[2] ?? '{}') as BuyersSetup).catch(fatal);
