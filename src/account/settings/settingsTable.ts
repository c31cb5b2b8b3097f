/**
 * A table of settings: each setting of a record is written once, and every surface is made from it: what callers send,
 * what answers show, what is stored, its default, and its place in plans and in files of accounts.
 */
import { z } from 'zod';
import { pickDefined } from '../../lib/defined.js';
import { getOwn } from '../../lib/getOwn.js';
import { published } from '../../lib/schema/published.js';
import { showing, shownBy, wireOf } from '../../lib/schema/wireOf.js';
import { checkEach, checkValue } from '../values.js';

/** What is known of one setting. */
export interface Setting<S extends z.ZodType = z.ZodType> {
  /** Reads what callers send into what is stored; a codec also writes it back, for answers. */
  schema: S;
  /** As it is stored. */
  default: z.output<S>;
  /** What the forms and tables of pages call it. */
  label: string;
  /** For API descriptions and help: a phrase without its full stop. */
  about: string;
  /** For the forms and tables of pages. */
  unit?: 'money' | 'percent' | 'days' | 'milliseconds' | 'leads' | 'pings';
  /** Its value has parts, and those that are not given stay as they are. */
  inParts?: true;
  /** A list, or lists in it, whose order means nothing. */
  isUnordered?: true;
  /** What pages say of an empty value; absent: none. */
  empty?: string;
  /** Of a buyer's terms: it sees this one in its portal, or may also ask for another value; the operator decides. */
  partner?: 'sees' | 'asks';
  /** The form of it in answers, where that is not the form in which it is given. */
  view?: z.ZodType;
}

/** Derives the types of a setting from its schema. */
export const setting = <S extends z.ZodType>(
  schema: S,
  facts: Omit<Setting<S>, 'schema'>,
): Setting<S> => ({ schema, ...facts });

export type Settings = Record<string, Setting>;

/** The names of the settings that a partner sees, or of those that it may ask to have changed. */
export const partnerSettings = (settings: Settings, may: 'see' | 'ask'): string[] =>
  Object.entries(settings).flatMap(([key, { partner }]) =>
    partner && (may === 'see' || partner === 'asks') ? [key] : [],
  );

/** The settings as they are stored. */
export type Stored<T extends Settings> = { -readonly [K in keyof T]: z.output<T[K]['schema']> };
/** The settings as callers write and see them. */
export type Wire<T extends Settings> = { -readonly [K in keyof T]: z.input<T[K]['schema']> };
type WireSchema<S extends Setting> = z.ZodType<z.input<S['schema']>, z.input<S['schema']>>;
type InputShape<T extends Settings> = { [K in keyof T]: z.ZodOptional<WireSchema<T[K]>> };
type ViewShape<T extends Settings> = { [K in keyof T]: WireSchema<T[K]> };
/** Reads a setting that depends on more than its value. */
type Rules<T extends Settings> = { [K in keyof T]?: (given: z.input<T[K]['schema']>) => unknown };

/**
 * @typeParam A settings that every record has
 * @typeParam O settings that a record has once they are set
 */
export interface SettingsTable<A extends Settings, O extends Settings> {
  settings: A & O;
  /** For the input of a change: an absent setting stays. */
  changed: InputShape<A & O>;
  /** For the input of a new record: the same, with the defaults. */
  given: InputShape<A & O>;
  /** For answers. It publishes the bounds and checks nothing: what is stored is shown. */
  view: ViewShape<A & O>;
  /** What a new record has. */
  defaults: Stored<A>;
  /**
   * The settings that are given, as they are stored. Other keys are ignored.
   * @param rules reads a setting by what its record, or its campaign, has
   * @throws {AppError} `validation_failed` naming every value that is not valid
   */
  read(given: Partial<Wire<A & O>>, rules?: Rules<A & O>): Partial<Stored<A & O>>;
  /** Every setting as callers see it. */
  show(stored: Stored<A> & Partial<Stored<O>>): Wire<A & O>;
  /** The settings that every record has, as they are stored. */
  always(stored: Stored<A>): Stored<A>;
  /** Of the other settings, those that differ from their defaults. */
  whereSet(stored: Partial<Stored<O>>): Partial<Stored<O>>;
  /** All other settings, with their defaults where they are not set. */
  orDefault(stored: Partial<Stored<O>>): Stored<O>;
}

/** A record's settings, as it is stored. */
export type StoredBy<T> =
  T extends SettingsTable<infer A, infer O> ? Stored<A> & Partial<Stored<O>> : never;

/** What callers write of a table's settings. */
export type InputOf<T extends { changed: z.core.$ZodLooseShape }> = z.input<
  z.ZodObject<T['changed']>
>;

/** @param optional settings that came later: records and plans lack them until they are set */
export function settingsTable<const A extends Settings, const O extends Settings>(
  always: A,
  optional: O,
): SettingsTable<A, O> {
  const settings: Settings = { ...always, ...optional };
  const shape = (of: (one: Setting, key: string) => unknown, list: Settings = settings) =>
    Object.fromEntries(Object.entries(list).map(([key, one]) => [key, of(one, key)]));
  const shown = Object.entries(settings).map(
    ([key, one]) => [key, one, showing(one.schema)] as const,
  );
  return {
    settings: settings as A & O,
    changed: shape((one) => inputOf(one)) as InputShape<A & O>,
    given: shape((one) => inputOf(one).meta(defaultOf(one))) as InputShape<A & O>,
    view: shape(viewOf) as ViewShape<A & O>,
    defaults: shape(valueIn({}), always) as Stored<A>,
    read(given, rules = {}) {
      const inContext = new Map<string, unknown>(Object.entries(rules));
      const checks = Object.entries(given).flatMap(([key, value]) => {
        const one = getOwn(settings, key);
        if (!one || value === undefined) return [];
        const rule = inContext.get(key) as ((value: unknown) => unknown) | undefined;
        return [[key, () => (rule ? rule(value) : checkValue(key, one.schema, value))]];
      });
      return checkEach(Object.fromEntries(checks) as Record<string, () => unknown>) as Partial<
        Stored<A & O>
      >;
    },
    show(stored) {
      const value = valueIn(stored);
      return Object.fromEntries(
        shown.map(([key, one, show]) => [key, show(value(one, key))]),
      ) as Wire<A & O>;
    },
    always: (stored) => pickDefined(stored, Object.keys(always)) as Stored<A>,
    whereSet(stored) {
      const value = valueIn(stored);
      const set = Object.entries(optional).filter(([key, one]) => value(one, key) !== one.default);
      return shape(value, Object.fromEntries(set)) as Partial<Stored<O>>;
    },
    orDefault: (stored) => shape(valueIn(stored), optional) as Stored<O>,
  };
}

/** What a record has of a setting, or its default. */
function valueIn(stored: object): (one: Setting, key: string) => unknown {
  const known = new Map<string, unknown>(Object.entries(stored));
  return (one, key) => known.get(key) ?? one.default;
}

const inputOf = ({ schema, about }: Setting) => wireOf(schema).describe(about).optional();

const defaultOf = ({ schema, default: value }: Setting) =>
  value === null ? {} : { default: shownBy(schema, value) };

/** The form of a structured value is not described again. */
function viewOf({ schema, view, about }: Setting): z.ZodType {
  const wire = view ?? wireOf(schema);
  const isWhole = wire instanceof z.ZodUnknown || innerOf(wire) instanceof z.ZodUnknown;
  return (isWhole ? z.unknown() : published(wire)).describe(about);
}

const innerOf = (schema: z.ZodType) => (schema instanceof z.ZodNullable ? schema.unwrap() : schema);
