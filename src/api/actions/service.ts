/** The Actions API without its transport: the calls of any surface whose requests carry a key. */
import { keyIdOf } from '../../account/keys/keys.js';
import { AppError } from '../../lib/errors.js';
import type { OrgKeyDoc } from '../../account/store/keyDocs.js';
import type { Witness } from '../../platform/security/witness.js';
import { allowanceOfKey, countEach } from '../calls/allowance.js';
import { answered, guarded, type CallAnswer } from '../calls/answer.js';
import type { Caller } from '../calls/caller.js';
import type { ReadBody } from '../calls/definition.js';
import {
  createListFiles,
  type FileAnswer,
  type FileType,
  type ListFiles,
} from '../calls/listFiles.js';
import type { Asked } from '../calls/me.js';
import { createReadAudit } from '../calls/readAudit.js';
import { mayRun } from '../calls/rights.js';
import { runCall, type Records } from '../calls/runCall.js';
import { findKey } from './access.js';
import type { Action, ActionDeps } from './action.js';
import { createKeyLookup } from './keyLookup.js';
import { contextOf, findAction, unknownAction } from './named.js';
import { REGISTRY } from './registry.js';
import { jsonSchema } from '../../lib/jsonSchema.js';
import { rulesOf } from '../calls/rules.js';

/** A known key: its rights, call by call. Whether it was revoked is not checked again. */
export type KeySession = Pick<
  ReturnType<typeof openSession>,
  'actions' | 'count' | 'describe' | 'run'
>;

export type ActionService = ReturnType<typeof createActionService>;

export function createActionService(deps: ActionDeps) {
  const keys = createKeyLookup(deps.collections);
  const recordRead = createReadAudit(deps.collections);
  const files = createListFiles({ recordRead });
  /**
   * For a surface that needs the caller before it reads the request. One session serves one request.
   * @throws {AppError} `unauthorized`, `unavailable`
   */
  const open = (authorization: string | undefined, witness: Witness) =>
    guarded(async () => {
      const key = await findKey(authorization, { ...deps, keys });
      witness.known({ actor: 'api_key', org_id: key.org_id, id: keyIdOf(key) });
      return openSession(key, deps, { recordRead, witness, files });
    }, 'Call again');
  return {
    open,
    /**
     * Who follows leads by this key, and who it is later; counts as one call.
     * @throws {AppError} `unauthorized`, `rate_limited`, `unavailable`
     */
    async follower(authorization: string | undefined, witness: Witness) {
      const session = await open(authorization, witness);
      const again = async (): Promise<Caller | null> =>
        findKey(authorization, { ...deps, keys }).then(callerOf, gone);
      const { caller } = session;
      return { caller, again, whose: caller.actor.id, headers: await session.count() };
    },
    /** The organization that the key acts for, and its rights (contract 9.1). */
    whoami: async (authorization: string | undefined, witness: Witness): Promise<CallAnswer> =>
      (await open(authorization, witness)).whoami(),
    /** Every action, and whether the key may call it (contract 9.1). */
    catalog: async (authorization: string | undefined, witness: Witness): Promise<CallAnswer> =>
      (await open(authorization, witness)).catalog(),
    /** @throws {AppError} every refusal of contract 9.3 */
    run: async (
      authorization: string | undefined,
      { name, body, witness }: Asked,
    ): Promise<CallAnswer> => (await open(authorization, witness)).run(name, body),
    /**
     * The rows of an action as a file; null where the action has none.
     * @throws {AppError} as `run`; `rate_limited` while the organization has another one
     */
    file: async (
      authorization: string | undefined,
      { name, body, witness }: Asked,
      type: FileType,
    ): Promise<FileAnswer | null> =>
      hasFile(name) ? (await open(authorization, witness)).file(name, body, type) : null,
  };
}

const hasFile = (name: string): boolean => findAction(name)?.file !== undefined;

function openSession(
  key: OrgKeyDoc,
  deps: ActionDeps,
  { files, ...records }: Records & { files: ListFiles },
) {
  const caller = callerOf(key);
  const count = countEach(deps.collections.windows);
  const answer = <T extends object>(work: () => Promise<T>, action?: Action) =>
    answered({ ...deps, count }, allowanceOfKey(key, action), work);
  /** The actions that the key may run, in the order of the registry. */
  const actions = (): readonly Action[] => REGISTRY.filter((action) => mayRun(action, caller));
  return {
    caller,
    actions,
    /**
     * Counts a call that runs no action. Returns the RateLimit headers.
     * @throws {AppError} `rate_limited`, `unavailable`
     */
    count: async (): Promise<Record<string, string>> =>
      (await answer(() => Promise.resolve({ data: null }))).headers,
    whoami: () => answer(async () => ({ data: await whoami(key, actions(), deps) })),
    catalog: () => answer(() => Promise.resolve({ data: { actions: catalogFor(caller) } })),
    /**
     * One action as the catalog has it; counts as one call.
     * @throws {AppError} `action_not_found`, and what reading the name throws
     */
    describe: (readName: () => string) =>
      answer(() => Promise.resolve({ data: entryFor(readName(), caller) })),
    /** As `run` of the service; counts as one call. */
    run(name: string, body: ReadBody): Promise<CallAnswer> {
      const action = findAction(name);
      return answer(() => {
        if (!action) throw unknownAction(name);
        return runCall(action, contextOf(action, caller, deps), body, records);
      }, action);
    },
    /** As `file` of the service; counts as one call. */
    async file(name: string, body: ReadBody, type: FileType): Promise<FileAnswer> {
      const action = findAction(name);
      const { headers, file } = await answer(async () => {
        if (!action?.file) throw unknownAction(name);
        return {
          file: await files.begin(action, contextOf(action, caller, deps), body, type),
        };
      }, action);
      return { ...file, headers: { ...headers, ...file.headers } };
    },
  };
}

const callerOf = (key: OrgKeyDoc): Caller => ({
  org_id: key.org_id,
  actor: { kind: 'key', id: keyIdOf(key), name: key.name, expires_at: key.expires_at },
  permissions: key.permissions,
});

/** @throws everything but that a caller is known no more */
export function gone(error: unknown): null {
  if (error instanceof AppError && ['unauthorized', 'not_found'].includes(error.code)) return null;
  throw error;
}

async function whoami(key: OrgKeyDoc, actions: readonly Action[], { collections }: ActionDeps) {
  const org = await collections.orgs.findOne({ _id: key.org_id });
  return {
    organization: {
      id: key.org_id,
      name: org?.name ?? '',
      time_zone: org?.time_zone ?? 'UTC',
      currency: org?.currency ?? 'USD',
    },
    key: {
      id: keyIdOf(key),
      name: key.name,
      created_at: key.created_at.toISOString(),
      expires_at: key.expires_at?.toISOString() ?? null,
    },
    permissions: key.permissions,
    actions: actions.map(({ name }) => name),
  };
}

/** Every action as data: what it is, what it takes and returns, and the rules that it is run by (contract 9.1). */
const catalogFor = (caller: Caller) =>
  entries().map(({ action, entry }) => ({ ...entry, allowed: mayRun(action, caller) }));

function entryFor(name: string, caller: Caller) {
  const found = catalogFor(caller).find((one) => one.name === name);
  if (!found) throw unknownAction(name);
  return found;
}

interface CatalogEntry {
  action: Action;
  entry: Record<string, unknown> & { name: string };
}

let made: CatalogEntry[] | undefined;

/** Made once, on the first request: the schemas of all actions take some milliseconds. */
const entries = (): CatalogEntry[] =>
  (made ??= REGISTRY.map((action) => ({ action, entry: entryOf(action) })));

function entryOf(action: Action): CatalogEntry['entry'] {
  const { name, summary, description, effect, permission, input, output, example } = action;
  return {
    name,
    summary,
    description,
    effect,
    permission,
    ...rulesOf(action),
    paged: action.paged ?? false,
    input_schema: jsonSchema(input, 'input'),
    output_schema: jsonSchema(output, 'output'),
    example,
  };
}
