/**
 * A call as data: an action, or a call of a partner's portal. `runCall` runs it by these rules, for every caller and on
 * every surface; nothing else checks a right, asks for a fresh sign-in or makes a record.
 */
import type { z } from 'zod';
import type { Permission } from '../../account/store/keyDocs.js';
import type { Clock } from '../../lib/clock.js';
import type { AccountCollections } from '../../account/store/collections.js';
import type { PortalSettings } from '../../portal/settingsSchema.js';
import type { Exit } from '../actions/exits.js';
import type { CsvCell } from '../../lib/csv/writeRow.js';
import type { Page } from '../actions/paging.js';
import type { Caller } from './caller.js';

/** read: changes nothing. write: its changes can be undone. destroy: its changes cannot. */
export type Effect = 'read' | 'write' | 'destroy';

/** The rights that an operator can grant to partners, and deny. */
export type PortalFlag = keyof Pick<
  PortalSettings,
  'returns' | 'change_requests' | 'exports' | 'resend' | 'pause'
>;

export interface Definition<I extends z.ZodObject = z.ZodObject> {
  /** In snake case. */
  name: string;
  effect: Effect;
  /** What an organization's caller needs. */
  permission?: Permission;
  /** The role that a partner's person needs; absent: any. */
  needs?: 'admin';
  /** For partners only where the operator allows it. */
  permits?: PortalFlag;
  alsoNeeds?: AlsoNeeds<z.output<I>>;
  /** What the call grants: a caller cannot grant a permission that it lacks. */
  gives?(input: z.output<I>): Given | null;
  /** The data that leaves by it: decides whether it needs a fresh sign-in and is recorded. */
  letsOut: readonly Exit<z.output<I>>[];
  /** Parts of the answer that are null for callers without a permission. */
  shows?: { parts: readonly string[]; permission: Permission };
  /** What the security log records once it is done. */
  guards?: 'operator_command' | 'key_changed';
  /** Maximum bytes of its body over HTTP; absent: as other endpoints. */
  bodyMax?: number;
  /** It sends a part of a long file: the limit of writes in a minute does not count it, that of calls does. */
  isPartOfFile?: true;
  /** Parts of the input that may identify a person: records hide them. */
  hides?: readonly string[];
  input: I;
}

/** A further permission that some calls need. */
export interface AlsoNeeds<I = unknown> {
  permission: Permission;
  /** Which calls need it; follows "where". */
  when: string;
  /** Whether this input needs it. Absent: what is stored decides; the work refuses it where `holdsFurther` is false. */
  isFor?(input: I): boolean;
  /** What needs it, at the beginning of a sentence; absent: the call. */
  subject?: string;
}

export interface Given {
  permissions: readonly Permission[];
  /** The role that includes them; absent: they are named one by one. */
  role?: string;
}

/** What every call works with. */
export interface CallContext {
  caller: Caller;
  collections: Pick<AccountCollections, 'audit'>;
  clock: Pick<Clock, 'now'>;
}

/** A call that returns its whole result at once. */
export interface Whole<I extends z.ZodObject, O extends z.ZodType, C> {
  paged?: never;
  /**
   * The shape of `data`, which is made from what `run` returns: keys that it does not name are left out, so a record is
   * given whole. One with money in micro-units, or with values to be masked, is written out: a forgotten key is an error.
   */
  output: O;
  /**
   * @param input checked and complete
   * @throws {AppError} `not_found` for a record that the caller does not have, `validation_failed` for a value that breaks
   * a rule of the account
   */
  run(input: z.output<I>, context: C): Promise<z.input<O>>;
  /** Its rows as a file, for callers that accept one over HTTP; absent: there is none. */
  file?(input: z.output<I>, context: C): Promise<ListFile>;
}

/** A call that returns a page of a list: its input has `pageInput`, and its result `next_cursor` next to `data`. */
export interface Paged<I extends z.ZodObject, O extends z.ZodType, C> {
  paged: true;
  output: O;
  /** As that of any call. */
  run(input: z.output<I>, context: C): Promise<Page<z.input<O>>>;
  /** The whole list as a file, for callers that accept one over HTTP; absent: there are only pages. */
  file?(input: z.output<I>, context: C): Promise<ListFile>;
}

/** A list that is streamed: a batch is read after the client has taken the one before. */
export interface ListFile {
  /** The names of the columns; each row has a cell of each. */
  columns: readonly string[];
  batches: AsyncIterable<readonly (readonly CsvCell[])[]>;
}

export type Call<C> = Definition &
  (Whole<z.ZodObject, z.ZodType, C> | Paged<z.ZodObject, z.ZodType, C>);

/** Reads the JSON object of a request. @param max bytes, where the call takes more than others */
export type ReadBody = (max?: number) => Promise<Record<string, unknown>>;

export interface CallResult {
  /** In the shape of the call's output schema. */
  data: unknown;
  /** For paged calls only: where the next page begins; null on the last. */
  next_cursor?: string | null;
}
