/** The Actions API without its transport: the calls of any surface whose requests carry a key. */
import { keyIdOf } from '../../account/keys/keys.js';
import { AppError } from '../../lib/errors.js';
import { didYouMean } from '../../lib/nearest.js';
import { jsonSchema } from '../../lib/jsonSchema.js';
import type { Witness } from '../../platform/security/witness.js';
import type { OrgKeyDoc } from '../../account/store/keyDocs.js';
import { orUnavailable } from '../../platform/mongo/databaseErrors.js';
import { findKey, holds } from './access.js';
import type { Action, ActionDeps, CallContext } from './action.js';
import { countCall } from './allowance.js';
import { invoke, type ActionResult } from './invoke.js';
import { createKeyLookup } from './keyLookup.js';
import type { ActionName } from './names.js';
import { createReadAudit, type RecordRead } from './readAudit.js';
import { REGISTRY } from './registry.js';

export interface ActionAnswer extends ActionResult {
  /** The RateLimit headers. */
  headers: Record<string, string>;
}

/** A known key: its rights, call by call. Whether it was revoked is not checked again. */
export interface KeySession {
  /** The actions that the key may run, in the order of the registry. */
  actions(): readonly Action[];
  /**
   * Counts a call that runs no action. Returns the RateLimit headers.
   * @throws {AppError} `rate_limited`, `unavailable`
   */
  count(): Promise<Record<string, string>>;
  /** As `run` of the service; counts as one call. */
  run(
    name: string,
    body: (max?: number) => Promise<Record<string, unknown>>,
  ): Promise<ActionAnswer>;
}

export interface ActionService {
  /**
   * For a surface that needs the caller before it reads the request. One session serves one request.
   * @throws {AppError} `unauthorized`, `unavailable`
   */
  open(authorization: string | undefined, witness: Witness): Promise<KeySession>;
  /** The organization that the key acts for, and its rights (contract 9.1). */
  whoami(authorization: string | undefined, witness: Witness): Promise<ActionAnswer>;
  /** Every action, and whether the key may call it (contract 9.1). */
  catalog(authorization: string | undefined, witness: Witness): Promise<ActionAnswer>;
  /**
   * @param body read only when the key is known and within its limit, up to `max` bytes where the action says so
   * @throws {AppError} every refusal of contract 9.3
   */
  run(
    authorization: string | undefined,
    name: string,
    body: (max?: number) => Promise<Record<string, unknown>>,
    witness: Witness,
  ): Promise<ActionAnswer>;
}

/** Actions that are recorded in the security log when they were run. */
export const GUARDED: ReadonlyMap<string, 'operator_command' | 'key_changed'> = new Map<
  ActionName,
  'operator_command' | 'key_changed'
>([
  ['retry_deliveries', 'operator_command'],
  ['hold_deliveries', 'operator_command'],
  ['drop_deliveries', 'operator_command'],
  ['resolve_delivery', 'operator_command'],
  ['resend_event', 'operator_command'],
  ['create_api_key', 'key_changed'],
  ['revoke_api_key', 'key_changed'],
  ['configure_single_sign_on', 'key_changed'],
  ['rotate_buyer_secret', 'key_changed'],
  ['rotate_supplier_key', 'key_changed'],
  ['invite_member', 'operator_command'],
  ['update_member', 'operator_command'],
  ['remove_member', 'operator_command'],
  ['delete_supplier', 'key_changed'],
]);

export function createActionService(deps: ActionDeps): ActionService {
  const { collections } = deps;
  const keys = createKeyLookup(collections);
  const recordRead = createReadAudit(collections);
  const find = async (authorization: string | undefined, witness: Witness) => {
    const key = await findKey(authorization, { ...deps, keys });
    witness.known({ actor: 'api_key', org_id: key.org_id, id: keyIdOf(key) });
    return key;
  };
  const enter = async (authorization: string | undefined, witness: Witness) => {
    const key = await find(authorization, witness);
    const headers = await countCall(collections.windows, key, false);
    return { key, headers };
  };
  const open: ActionService['open'] = (authorization, witness) =>
    guarded(async () =>
      sessionOf(await find(authorization, witness), { ...deps, recordRead }, witness),
    );
  return {
    open,
    whoami: (authorization, witness) =>
      guarded(async () => {
        const { key, headers } = await enter(authorization, witness);
        return withHeaders(headers, async () => ({ data: await whoami(key, deps) }));
      }),
    catalog: (authorization, witness) =>
      guarded(async () => {
        const { key, headers } = await enter(authorization, witness);
        const actions = catalog().map(({ action, entry }) => ({
          ...entry,
          allowed: holds(key.permissions, action.permission),
        }));
        return withHeaders(headers, () => Promise.resolve({ data: { actions } }));
      }),
    run: async (authorization, name, body, witness) =>
      (await open(authorization, witness)).run(name, body),
  };
}

interface SessionDeps extends ActionDeps {
  recordRead: RecordRead;
}

function sessionOf(key: OrgKeyDoc, deps: SessionDeps, witness: Witness): KeySession {
  const count = (isWrite: boolean) => countCall(deps.collections.windows, key, isWrite);
  return {
    actions: () => REGISTRY.filter(({ permission }) => holds(key.permissions, permission)),
    count: () => guarded(() => count(false)),
    run: (name, body) =>
      guarded(async () => {
        const action = REGISTRY.find((one) => one.name === name);
        const headers = await count(action !== undefined && action.effect !== 'read');
        return withHeaders(headers, async () => {
          if (!action) throw unknownAction(name);
          const result = await invoke(
            action,
            await body(action.bodyMax),
            contextOf(key, deps),
            deps.recordRead,
          );
          const event = GUARDED.get(action.name);
          if (event) witness.ran(event, action.name);
          return result;
        });
      }),
  };
}

/** Adds the headers to the answer, and to a refusal too. */
export async function withHeaders(
  headers: Record<string, string>,
  work: () => Promise<ActionResult>,
): Promise<ActionAnswer> {
  try {
    return { ...(await work()), headers };
  } catch (error) {
    if (error instanceof AppError) error.extras.headers = { ...headers, ...error.extras.headers };
    throw error;
  }
}

const guarded = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch(orUnavailable('The account cannot be reached now. Call again.'));

async function whoami(key: OrgKeyDoc, { collections }: ActionDeps) {
  const org = await collections.orgs.findOne({ _id: key.org_id });
  return {
    organization: { id: key.org_id, name: org?.name ?? '' },
    key: {
      id: keyIdOf(key),
      name: key.name,
      created_at: key.created_at.toISOString(),
      expires_at: key.expires_at?.toISOString() ?? null,
    },
    permissions: key.permissions,
    actions: REGISTRY.filter((action) => holds(key.permissions, action.permission)).map(
      ({ name }) => name,
    ),
  };
}

const contextOf = (key: OrgKeyDoc, deps: ActionDeps): CallContext => ({
  ...deps,
  caller: {
    org_id: key.org_id,
    actor: { kind: 'key', id: keyIdOf(key), name: key.name, expires_at: key.expires_at },
    permissions: key.permissions,
  },
});

interface CatalogEntry {
  action: Action;
  entry: Record<string, unknown>;
}

let made: CatalogEntry[] | undefined;

/** Made once, on the first request: the schemas of all actions take some milliseconds. */
const catalog = (): CatalogEntry[] =>
  (made ??= REGISTRY.map((action) => ({ action, entry: entryOf(action) })));

function entryOf(action: Action): Record<string, unknown> {
  const { name, summary, description, effect, permission, input, output, example } = action;
  const { alsoNeeds: also_needs = null, paged = false } = action;
  return {
    name,
    summary,
    description,
    effect,
    permission,
    also_needs,
    paged,
    input_schema: jsonSchema(input, 'input'),
    output_schema: jsonSchema(output, 'output'),
    example,
  };
}

export function unknownAction(name: string): AppError {
  const hint = didYouMean(
    name,
    REGISTRY.map((action) => action.name),
  );
  const message = `There is no action ${name.slice(0, 100)}.${hint} GET /api/v1/actions lists all.`;
  return new AppError('action_not_found', message);
}
