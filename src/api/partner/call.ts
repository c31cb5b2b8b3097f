/**
 * A call of a partner's portal. The registries are lists of these; the endpoint that runs them is made from them.
 * A partner is no caller of the organization: the session decides whose data a call returns, never the input.
 */
import type { z } from 'zod';
import type { ChannelDeps } from '../../deliveries/channels/channel.js';
import type { People } from '../../people/people.js';
import type { Membership, SignedIn } from '../../people/types.js';
import type { CsvCell } from '../../lib/csv/writeRow.js';
import type { Background } from '../../lib/background.js';
import type { Log } from '../../lib/log.js';
import type { PortalSettings, Side } from '../../portal/settingsSchema.js';
import type { PlanAuthor } from '../../account/rules/plan.js';
import type { AccountCache } from '../../account/access/accountCache.js';
import type { ActionDeps } from '../actions/action.js';
import type { Caller } from '../calls/caller.js';
import type { Definition, Effect, Paged, Whole } from '../calls/definition.js';

/** The dependencies of calls. */
export interface PartnerDeps extends ActionDeps {
  people: Pick<People, 'members'>;
  /** The channels that deliver a lead, for test leads. */
  channels: ChannelDeps;
  /** The plans that decide leads. */
  accountCache: Pick<AccountCache, 'plan' | 'refresh'>;
  background: Background;
  log: Log;
}

/** The caller, its partner, and what the operator allows. */
export interface PartnerContext extends PartnerDeps {
  caller: Caller;
  org_id: string;
  /** The same, as an `AccountContext` has it. */
  orgId: string;
  side: Side;
  /** The buyer or the supplier of the membership. */
  party_id: string;
  party_name: string;
  membership: Membership;
  signedIn: SignedIn;
  settings: PortalSettings;
  org: { name: string; time_zone: string; currency: string };
  /** The author of new versions of campaigns. */
  author: PlanAuthor;
}

export type PartnerCall<
  N extends string = string,
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
> = { name: N } & Definition<I> & (Whole<I, O, PartnerContext> | Paged<I, O, PartnerContext>);

/** The calls of a list by name: a screen that names one has the types of its input and output. */
export type ByName<C extends PartnerCall> = { [One in C as One['name']]: One };

/** As it is written. By default it lets nothing out. */
type Written<I extends z.ZodObject> = Omit<Definition<I>, 'letsOut' | 'permission' | 'needs'> &
  Partial<Pick<Definition<I>, 'letsOut'>>;

/** Fixes the types of a call by its schemas. Only admins of the team change anything. */
export const definePartnerCall = <N extends string, I extends z.ZodObject, O extends z.ZodType>(
  call: { name: N } & Written<I> & Whole<I, O, PartnerContext>,
): PartnerCall<N, I, O> => ({ letsOut: [], needs: neededFor(call.effect), ...call });

/** The same for a call that returns a page of a list. */
export const definePagedPartnerCall = <
  N extends string,
  I extends z.ZodObject,
  O extends z.ZodType,
>(
  call: { name: N } & Written<I> & Omit<Paged<I, O, PartnerContext>, 'paged'>,
): PartnerCall<N, I, O> => ({ letsOut: [], needs: neededFor(call.effect), ...call, paged: true });

const neededFor = (effect: Effect) => (effect === 'read' ? undefined : 'admin');

/**
 * A list to be downloaded as CSV: `GET /portal/api/:membership/files/:name`. Its input is the query, read from text, and
 * each download is recorded.
 */
export interface PartnerFile<Q extends z.ZodObject = z.ZodObject> extends Definition<Q> {
  /**
   * The head and then the rows, in batches; at most `FILE_ROWS_MAX` of them are sent.
   * @throws {AppError} before the first batch: nothing was sent then
   */
  rows(query: z.output<Q>, context: PartnerContext): Promise<FileRows>;
}

export type Cell = CsvCell;

type Batch = readonly (readonly Cell[])[];

export interface FileRows {
  head: readonly string[];
  batches: AsyncIterable<Batch> | Iterable<Batch>;
}

/** @param file its name is that of the file, with its ending: leads.csv */
export const definePartnerFile = <Q extends z.ZodObject>(
  file: Omit<Written<Q>, 'effect'> & Pick<PartnerFile<Q>, 'rows'>,
): PartnerFile => ({ letsOut: [], ...file, effect: 'read' });
