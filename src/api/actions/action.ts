/**
 * What an action is. The registry is a list of these; the HTTP endpoints, the catalog and every other surface are made
 * from it, so that they cannot drift apart.
 */
import type { PlanAuthor } from '../../account/rules/plan.js';
import type { z } from 'zod';
import type { OutboundPolicy } from '../../account/buyers/delivery.js';
import type { Keyring } from '../../platform/security/seal.js';
import type { Clock } from '../../lib/clock.js';
import type { PublicAddress } from '../guide/guide.js';
import type { Intake } from '../../ingest/types.js';
import type { SaleChanges } from '../../outcomes/types.js';
import type { Oidc } from '../../people/oidc/types.js';
import type { Pings } from '../../pings/types.js';
import type { Confirmations } from '../../deliveries/recipients/confirmations.js';
import type { Returns } from '../../outcomes/returns/types.js';
import type { createQueueCommands } from '../../distribution/commands/queueCommands.js';
import type { FunnelSite } from '../../funnels/address.js';
import type { FunnelCollections } from '../../funnels/store/collections.js';
import type { Permission } from '../../account/store/keyDocs.js';
import type { Members } from '../../people/members/types.js';
import { holds } from './access.js';
import type { ActionName } from './names.js';
import type { Page } from './paging.js';

/** read: changes nothing. write: changes what can be changed back. destroy: takes away what cannot. */
export type Effect = 'read' | 'write' | 'destroy';

/** Who calls, and the organization it acts for. */
export interface Caller {
  org_id: string;
  actor: CallingKey | CallingPerson;
  permissions: readonly Permission[];
}

interface CallingKey {
  kind: 'key';
  id: string;
  name: string;
  /** From then on the key is refused; absent: never. */
  expires_at?: Date | undefined;
}

/** A member of the organization, by a role. */
interface CallingPerson {
  kind: 'person';
  id: string;
  name: string;
  membership_id: string;
  /** Signed in, or confirmed, a short time ago. */
  is_fresh: boolean;
  /** The role sees no data of people. */
  seesNoPeople?: boolean;
}

/** Whether the caller may run the action; that a sign-in must be confirmed first is no reason against. */
export const mayRun = (
  { permission, showsPeople }: Pick<Action, 'permission' | 'showsPeople'>,
  { permissions, actor }: Caller,
): boolean =>
  holds(permissions, permission) &&
  !(showsPeople && actor.kind === 'person' && actor.seesNoPeople === true);

/** What actions may use. */
export interface ActionDeps {
  collections: FunnelCollections;
  keyring: Keyring;
  /** What deliveries may be set to in this installation. */
  policy: OutboundPolicy;
  clock: Clock;
  /** What operators may ask of buyers' queues. */
  queue: ReturnType<typeof createQueueCommands>;
  /** Takes leads as from suppliers. */
  intake: Intake;
  /** Answers pings as of suppliers. */
  pings: Pick<Pings, 'submit'>;
  /** Has what waits to be sent to automations sent now. */
  wakeEndpoints: (automationIds: readonly string[], orgId: string) => void;
  /** Changes the outcomes of sales. */
  outcomes: SaleChanges;
  /** Leads that buyers give back. */
  returns: Pick<Returns, 'request' | 'resolve'>;
  /** Asks those who are to get mails whether they want them. */
  recipients: Pick<Confirmations, 'ask'>;
  /** Where suppliers post to. */
  ingestAddress: () => PublicAddress;
  /** The people of the organization and of its partners. */
  members: Members;
  /** The organization's own sign-in for its people. */
  singleSignOn: Pick<Oidc, 'settings' | 'configure'>;
  /** Where people open the pages of this service. */
  siteUrl: () => string;
  /** Where visitors open funnels. */
  funnels: FunnelSite;
}

export interface ActionContext extends ActionDeps {
  caller: Caller;
  /** In whose name the account is changed; the way to an action sets it. */
  author?: PlanAuthor;
}

interface Described<I extends z.ZodObject, O extends z.ZodType> {
  name: ActionName;
  /** The command of it: a noun and a verb. */
  cli: readonly [noun: string, verb: string];
  /** One line. */
  summary: string;
  /** Whole sentences, for people and assistants who choose between actions. */
  description: string;
  effect: Effect;
  /** Doing it twice leaves what doing it once does. */
  idempotent: boolean;
  /** It makes leads go to buyers, beyond the records of the account. */
  reachesOut?: true;
  /** It shows data of people: each answer is recorded before it is given. */
  showsPeople?: true;
  permission: Permission;
  /** A person runs it only in a session that was signed in, or confirmed, a short time ago. */
  needsFresh?: true;
  /** Most bytes of its body over HTTP; absent: as other endpoints. */
  bodyMax?: number;
  /** A further permission that some of its calls need; the action itself sees to it. */
  alsoNeeds?: { permission: Permission; /** Follows "where". */ when: string };
  input: I;
  /** An input that fits the schema, as a caller would send it. */
  example: z.input<I>;
  /** Of an output that is no list by itself: the key of the list that it is read for. */
  rows?: string;
  /** What `data` holds. */
  output: O;
}

/** An action that gives all there is at once. */
interface WholeAction<I extends z.ZodObject, O extends z.ZodType> extends Described<I, O> {
  paged?: never;
  /**
   * @param input checked and complete
   * @throws {AppError} `not_found` for a record the organization does not have, `validation_failed` for a value that
   * breaks a rule of the account
   */
  run(input: z.output<I>, context: ActionContext): Promise<z.input<O>>;
}

/** An action that gives a page of a list: its input has `pageInput`, and `next_cursor` comes beside `data`. */
interface PagedAction<I extends z.ZodObject, O extends z.ZodType> extends Described<I, O> {
  paged: true;
  /** As that of any action. */
  run(input: z.output<I>, context: ActionContext): Promise<Page<z.input<O>>>;
}

export type Action<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> =
  WholeAction<I, O> | PagedAction<I, O>;

/** Fixes the types of an action by its own schemas. */
export const defineAction = <I extends z.ZodObject, O extends z.ZodType>(
  action: WholeAction<I, O>,
): Action => described(action);

/** Every surface shows the description: what some calls need beside the permission is told by each. */
function described<A extends Action>(action: A): A {
  const { alsoNeeds, description } = action;
  if (!alsoNeeds) return action;
  const told = `${description} Also needs the permission ${alsoNeeds.permission} where ${alsoNeeds.when}.`;
  return { ...action, description: told };
}

/** The same of an action that gives a page of a list. */
export const definePagedAction = <I extends z.ZodObject, O extends z.ZodType>(
  action: Omit<PagedAction<I, O>, 'paged'>,
): Action => described({ ...action, paged: true });
