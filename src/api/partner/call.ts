/**
 * A call of a partner's portal. The registries are lists of these; the endpoint that runs them is made from them.
 * A partner is no caller of the organization: the session decides whose data a call returns, never the input.
 */
import type { z } from 'zod';
import type { ChannelDeps } from '../../deliveries/channels/channel.js';
import type { People } from '../../people/people.js';
import type { Membership, SignedIn } from '../../people/types.js';
import type { Background } from '../../lib/background.js';
import type { Log } from '../../lib/log.js';
import type { PortalSettings, Side } from '../../portal/settingsSchema.js';
import type { PlanAuthor } from '../../account/rules/plan.js';
import type { AccountCache } from '../../account/access/accountCache.js';
import type { ActionDeps } from '../actions/action.js';
import type { Exit } from '../actions/exits.js';
import type { Page } from '../actions/paging.js';

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
  org_id: string;
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

/** The rights that an operator can grant and deny. */
export type PortalFlag = 'returns' | 'change_requests' | 'exports' | 'resend' | 'pause';

interface Described<S extends Side | 'both', I extends z.ZodObject, O extends z.ZodType> {
  /** In snake case; unique on its side. */
  name: string;
  side: S;
  /** A write is audited, under the name of the person and the partner. */
  effect: 'read' | 'write';
  /** The partner role it needs. */
  needs?: 'admin';
  /** What leaves by it, empty where nothing does: it needs a fresh sign-in, and is recorded, accordingly. */
  letsOut: readonly Exit[];
  /** Once it is done the security log records it, as it does for actions that change keys. */
  changesKeys?: true;
  /** Only where the operator allows it. */
  permits?: PortalFlag;
  /** Maximum bytes of its body; absent: as other endpoints. */
  bodyMax?: number;
  /** Parts of the input that may identify a person: records hide them. */
  hides?: readonly string[];
  input: I;
  output: O;
}

export interface WholeCall<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
> extends Described<Side | 'both', I, O> {
  paged?: never;
  /**
   * @param input checked and complete
   * @throws {AppError} `not_found` for a record that the partner does not have, even if another partner has it
   */
  run(input: z.output<I>, context: PartnerContext): Promise<z.input<O>>;
}

/** A call that returns a page of a list, with `next_cursor` next to `data`. */
export interface PagedCall<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
> extends Described<Side | 'both', I, O> {
  paged: true;
  /** As that of any call. */
  run(input: z.output<I>, context: PartnerContext): Promise<Page<z.input<O>>>;
}

export type PartnerCall = WholeCall | PagedCall;

/** Fixes the types of a call by its own schemas. */
export const definePartnerCall = <I extends z.ZodObject, O extends z.ZodType>(
  call: WholeCall<I, O>,
): PartnerCall => call;

/** The same for a call that returns a page of a list. */
export const definePagedPartnerCall = <I extends z.ZodObject, O extends z.ZodType>(
  call: Omit<PagedCall<I, O>, 'paged'>,
): PartnerCall => ({ ...call, paged: true }) as unknown as PartnerCall;

/** A list to be downloaded as CSV: `GET /portal/api/:membership/files/:name`. */
export interface PartnerFile<Q extends z.ZodObject = z.ZodObject> extends Pick<
  Described<Side | 'both', Q, z.ZodType>,
  'side' | 'needs' | 'letsOut' | 'permits' | 'hides'
> {
  /** With its ending: leads.csv */
  name: string;
  /** The parameters of the query, read from text. */
  query: Q;
  /**
   * The head and then the rows, in batches; at most `FILE_ROWS_MAX` of them are sent.
   * @throws {AppError} before the first batch: nothing was sent then
   */
  rows(query: z.output<Q>, context: PartnerContext): Promise<FileRows>;
}

export type Cell = string | number | boolean | null;

export interface FileRows {
  head: readonly string[];
  batches: AsyncIterable<readonly (readonly Cell[])[]>;
}

export const definePartnerFile = <Q extends z.ZodObject>(file: PartnerFile<Q>): PartnerFile => file;
