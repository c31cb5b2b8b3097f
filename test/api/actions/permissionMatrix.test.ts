/** What each permission allows: every action is run with every permission. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PERMISSIONS } from '../../../src/account/keys/keys.js';
import { contextOf } from '../../../src/api/actions/named.js';
import type { ActionName } from '../../../src/api/actions/names.js';
import { createReadAudit } from '../../../src/api/calls/readAudit.js';
import { runCall } from '../../../src/api/calls/runCall.js';
import { NO_WITNESS } from '../../../src/api/http/witness.js';
import { REGISTRY } from '../../../src/api/actions/registry.js';
import type { Permission } from '../../../src/account/store/keyDocs.js';
import { AppError } from '../../../src/lib/errors.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { actionDeps } from '../../support/api.js';
import { makeOrg } from '../../support/org.js';

/** Each action with its permission; docs/permissions.md has the list, and a test holds it. */
const NEEDED = REGISTRY.map(({ name, permission }) => [name, permission] as const);

/** The permissions that allow an action: its own, or the write permission of the area where reading is enough. */
const enough = (needed: Permission): Permission[] =>
  needed.endsWith(':read') ? [needed, needed.replace(/read$/, 'write') as Permission] : [needed];

describe('an action', () => {
  let database: TestDatabase;
  let org_id: string;
  beforeAll(async () => {
    database = await openDatabase();
    org_id = (await makeOrg(database.collections))._id;
  });
  afterAll(() => database.drop());

  /** Its refusal for a key with these permissions: its status, and the permission that is missing; null: it ran. */
  async function refusal(name: ActionName, permissions: readonly Permission[]) {
    const action = REGISTRY.find((one) => one.name === name)!;
    const { collections } = database;
    const actor = { kind: 'key', id: 'key-1', name: 'Key' } as const;
    const caller = { org_id, actor, permissions };
    const context = contextOf(action, caller, actionDeps(collections));
    const body = () => Promise.resolve(action.example);
    const recordRead = createReadAudit(collections);
    try {
      await runCall(action, context, body, { recordRead, witness: NO_WITNESS });
      return null;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { status: error.status, error: error.code, required: error.extras.required };
    }
  }

  it.each(NEEDED)(
    '%s is refused without %s: with each other permission alone, and with all of them',
    async (name, permission) => {
      const others = PERMISSIONS.filter((one) => !enough(permission).includes(one));
      const refused = { status: 403, error: 'forbidden', required: permission };
      for (const held of [...others.map((one) => [one]), others])
        expect([held, await refusal(name, held)]).toEqual([held, refused]);
    },
  );

  const allowed = NEEDED.flatMap(([name, permission]) =>
    enough(permission).map((held) => [name, held, permission] as const),
  );
  it.each(allowed)(
    '%s is not refused for its permission with %s alone',
    async (name, held, permission) => {
      const refused = await refusal(name, [held]);
      expect(refused?.status ?? 200).toBeLessThan(500);
      // Whatever else an input needs (lead fields in events, for example) is another permission, and named.
      expect(refused?.required).not.toBe(permission);
    },
  );
});
