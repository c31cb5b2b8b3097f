import { createOrg } from '../../src/account/orgs.js';
import { createActionService } from '../../src/api/actions/service.js';
import { createConsoleService } from '../../src/api/console/service.js';
import type { HttpServer } from '../../src/api/http/server.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { startServer } from '../support/http.js';
import { TEST_ZONE } from '../support/org.js';
import { actionDeps, peopleOf } from '../support/api.js';

export interface ConsoleServer {
  database: TestDatabase;
  server: HttpServer;
  org_id: string;
}

/** The API as people of an organization use it, and keys too, on a database of its own. */
export async function startConsole({
  name,
  time_zone = TEST_ZONE,
}: {
  name: string;
  time_zone?: string;
}): Promise<ConsoleServer> {
  const database = await openDatabase();
  const { collections } = database;
  const people = peopleOf(collections);
  const deps = { ...actionDeps(collections), members: people.members, people };
  const server = await startServer({
    people,
    actions: createActionService(deps),
    console: createConsoleService(deps),
  });
  return { database, server, org_id: (await createOrg(collections, { name, time_zone }))._id };
}
