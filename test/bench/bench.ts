/** The service as an operator would run it on one machine: a process per role, buyers apart. */
import { createKeyring } from '../../src/auth/seal.js';
import { connectStore } from '../../src/store/connect.js';
import { ensureIndexes } from '../../src/store/indexes.js';
import type { Stack } from '../../src/stack/stack.js';
import { createAccount, type AccountSpec, type TestAccount } from '../support/account.js';
import { supplierOf, type Supplier } from '../support/supplier.js';
import { startHelper, type Helper } from './processes.js';

export interface Bench {
  stack: Stack;
  buyers: Helper;
  /** A new account and somebody who posts for its suppliers. */
  account(spec: (buyerUrl: string) => AccountSpec): Promise<{
    account: TestAccount;
    supplier: Supplier;
  }>;
  stop(): Promise<void>;
}

const SECRET = 'a secret of 32 characters or more, for the benchmark';
const CONNECTIONS = 512;

export async function startBench(stack: Stack): Promise<Bench> {
  const database = 'bench';
  const store = await connectStore({ uri: stack.mongodbUri, database });
  await ensureIndexes(store.db);
  const env = {
    PORT: '0',
    LOG_LEVEL: 'info',
    MONGODB_URI: stack.mongodbUri,
    MONGODB_DATABASE: database,
    TEMPORAL_ADDRESS: stack.temporalAddress,
    LEADWIRE_SECRET: SECRET,
    OUTBOUND_ALLOW_PRIVATE: 'true',
    ...pickIntake(process.env),
  };
  const main = '../../src/main.js';
  const buyers = await startHelper('buyerProcess.js');
  const worker = await startHelper(main, ['worker'], env);
  const delivery = await startHelper(main, ['delivery'], env);
  const api = await startHelper(main, ['api'], env);
  const suppliers: Supplier[] = [];
  return {
    stack,
    buyers,
    async account(spec) {
      const made = { collections: store.collections, keyring: createKeyring(SECRET) };
      const account = await createAccount(made, spec(buyers.url));
      const supplier = supplierOf(api.url, account, CONNECTIONS);
      suppliers.push(supplier);
      return { account, supplier };
    },
    async stop() {
      await Promise.all(suppliers.map((supplier) => supplier.close()));
      for (const helper of [api, delivery, worker, buyers]) await helper.stop();
      await store.close();
    },
  };
}

/** Settings of the intake may be tried out from outside. */
function pickIntake(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[0].startsWith('INTAKE_') && !!entry[1],
    ),
  );
}
