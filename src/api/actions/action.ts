/**
 * An action. The registry is a list of these; the HTTP endpoints, the catalog and every other surface are made
 * from it, so that they cannot drift apart.
 */
import type { PlanAuthor } from '../../account/rules/plan.js';
import { z } from 'zod';
import type { OutboundPolicy } from '../../account/buyers/delivery.js';
import type { Keyring } from '../../platform/security/seal.js';
import type { Clock } from '../../lib/clock.js';
import type { PublicAddress } from '../guide/guide.js';
import type { Intake } from '../../ingest/types.js';
import type { SaleChanges } from '../../outcomes/types.js';
import type { Oidc } from '../../people/oidc/oidc.js';
import type { Pings } from '../../pings/types.js';
import type { Confirmations } from '../../deliveries/recipients/confirmations.js';
import type { Returns } from '../../outcomes/returns/service.js';
import type { createQueueCommands } from '../../distribution/commands/queueCommands.js';
import type { FunnelSite } from '../../funnels/address.js';
import type { PlatformCollections } from '../../platform/mongo/collections.js';
import type { Found, Wanted } from '../../platform/mongo/pages.js';
import type { EventCollections } from '../../events/store/collections.js';
import type { AccountCollections } from '../../account/store/collections.js';
import type { PeopleCollections } from '../../people/store/collections.js';
import type { LeadCollections } from '../../leads/store/collections.js';
import type { DeliveryCollections } from '../../deliveries/store/collections.js';
import type { RoutingCollections } from '../../routing/store/collections.js';
import type { PingCollections } from '../../pings/store/collections.js';
import type { ReportCollections } from '../../reports/store/collections.js';
import type { OutcomeCollections } from '../../outcomes/store/collections.js';
import type { AutomationCollections } from '../../automations/store/collections.js';
import type { PortalCollections } from '../../portal/store/collections.js';
import type { FunnelCollections } from '../../funnels/store/collections.js';
import type { Permission } from '../../account/store/keyDocs.js';
import type { Members } from '../../people/members/members.js';
import type { Caller } from '../calls/caller.js';
import type { Call, Definition, Effect, Paged, Whole } from '../calls/definition.js';
import type { ActionName } from './names.js';
import type { SystemState } from './schemas/system.js';
import { pageInput, pageOf, type PageAsked } from './paging.js';

/** The collections that actions query. */
export type ActionCollections = PlatformCollections &
  EventCollections &
  AccountCollections &
  PeopleCollections &
  LeadCollections &
  DeliveryCollections &
  RoutingCollections &
  PingCollections &
  ReportCollections &
  OutcomeCollections &
  AutomationCollections &
  PortalCollections &
  FunnelCollections;

/** The dependencies of actions. */
export interface ActionDeps {
  collections: ActionCollections;
  keyring: Keyring;
  /** The delivery settings that this installation allows. */
  policy: OutboundPolicy;
  clock: Clock;
  /** The operators' commands on buyers' queues. */
  queue: ReturnType<typeof createQueueCommands>;
  /** Accepts leads as from suppliers. */
  intake: Intake;
  /** Answers pings as from suppliers. */
  pings: Pick<Pings, 'submit'>;
  /** Sends what waits for automations now. */
  wakeEndpoints: (automationIds: readonly string[], orgId: string) => void;
  /** Changes the outcomes of sales. */
  outcomes: SaleChanges;
  /** The returns of leads by buyers. */
  returns: Pick<Returns, 'request' | 'resolve' | 'check'>;
  /** Asks recipients of mails to confirm. */
  recipients: Pick<Confirmations, 'ask'>;
  /** The address that suppliers post to. */
  ingestAddress: () => PublicAddress;
  /** The people of the organization and of its partners. */
  members: Members;
  /** The organization's own sign-in for its people. */
  singleSignOn: Pick<Oidc, 'settings' | 'configure'>;
  /** The address of the pages of this service. */
  siteUrl: () => string;
  /** Where the Temporal UI shows the workflows of a lead; null: its address is not known. */
  workflowUrl: (leadId: string) => string | null;
  /** The state of the installation, without anything of an organization. */
  system: () => Promise<SystemState>;
  /** The address at which visitors open funnels. */
  funnels: FunnelSite;
}

/** What an action works with: an `AccountContext` of the caller's organization, changed in the caller's name. */
export interface ActionContext extends ActionDeps {
  caller: Caller;
  orgId: string;
  author: PlanAuthor;
  /** The caller has the further permission that some calls of the action need. */
  holdsFurther: boolean;
}

interface Texts<I extends z.ZodObject> extends Definition<I> {
  name: ActionName;
  /** Its command. */
  cli: readonly [noun: string, verb: string];
  /** One line. */
  summary: string;
  /** Whole sentences, for people and assistants who choose between actions. */
  description: string;
  /** Running it twice has the effect of running it once. */
  idempotent: boolean;
  /** It sends leads to buyers, beyond the records of the account. */
  reachesOut?: true;
  permission: Permission;
  /** An input that fits the schema, as a caller would send it. */
  example: z.input<I>;
  /** For an output that contains a list: the key of that list. */
  rows?: string;
}

export type Action = Texts<z.ZodObject> & Call<ActionContext>;

type Defaults = 'effect' | 'idempotent' | 'letsOut';

/**
 * As it is written. By default it lets nothing out, changes something where its permission is one to write, and is
 * idempotent if it only reads.
 */
type Written<I extends z.ZodObject> = Omit<Texts<I>, Defaults> & Partial<Pick<Texts<I>, Defaults>>;

/** An action whose name and schemas are known to the compiler: pages that run it by its name have its types. */
export type TypedAction<
  N extends ActionName,
  I extends z.ZodObject,
  O extends z.ZodType,
> = Action & {
  name: N;
  input: I;
  output: O;
};

/** Fixes the types of an action by its schemas. */
export const defineAction = <N extends ActionName, I extends z.ZodObject, O extends z.ZodType>(
  action: { name: N } & Written<I> & Whole<I, O, ActionContext>,
): TypedAction<N, I, O> => withDefaults(action);

/** The same for an action that returns a page of a list. */
export const definePagedAction = <N extends ActionName, I extends z.ZodObject, O extends z.ZodType>(
  action: { name: N } & Written<I> & Omit<Paged<I, O, ActionContext>, 'paged'>,
): TypedAction<N, I, O> => ({ ...withDefaults(action), paged: true });

/** The same for a list: its input is the filters, and where the page begins. */
export const defineList = <N extends ActionName, S extends z.ZodRawShape, O extends z.ZodType, T>({
  filters,
  find,
  show,
  ...action
}: { name: N } & Omit<Written<z.ZodObject>, 'input'> & {
    filters: S;
    output: O;
    find: (
      filter: z.output<z.ZodObject<S>>,
      context: ActionContext,
      page: Wanted,
    ) => Promise<Found<T>>;
    /** Makes the rows of a page. */
    show: (docs: readonly T[], context: ActionContext) => z.input<O> | Promise<z.input<O>>;
  }): TypedAction<N, z.ZodObject<S & typeof pageInput>, O> => ({
  ...withDefaults(action),
  paged: true,
  input: z.strictObject({ ...filters, ...pageInput }),
  async run(input, context) {
    const { limit, cursor, ...filter } = input as unknown as PageAsked;
    const { data, next_cursor } = await pageOf(action.name, { limit, cursor }, (page) =>
      find(filter as z.output<z.ZodObject<S>>, context, page),
    );
    return { data: await show(data, context), next_cursor };
  },
});

/** Adds the defaults. The further permission is in the description, so that every surface shows it. */
function withDefaults<
  A extends Pick<Written<z.ZodObject>, 'description' | 'permission' | 'alsoNeeds'>,
>(action: A) {
  const { description, permission, alsoNeeds } = action;
  const further =
    alsoNeeds && ` Also needs the permission ${alsoNeeds.permission} where ${alsoNeeds.when}.`;
  const isRead = permission.endsWith(':read');
  const effect: Effect = isRead ? 'read' : 'write';
  const defaults = { letsOut: [], effect, idempotent: isRead };
  return { ...defaults, ...action, description: `${description}${further ?? ''}` };
}
