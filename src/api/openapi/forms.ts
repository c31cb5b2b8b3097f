/** The schemas of a document by their form: equal ones are one form, whatever is said of them where they are used. */
import { pickDefined, withoutKeys } from '../../lib/defined.js';
import type { JsonObject } from '../../lib/jsonSchema.js';

/** What is said of a type in one place, and belongs to that place. */
const NOTES = ['description', 'default', 'examples'];

/** Objects and lists of words are types; of another value, what is said of it is all that there is to share. */
export const isType = ({ properties, enum: words }: JsonObject): boolean =>
  properties !== undefined || words !== undefined;

/** The words of the path to a schema, each with a capital: the operation, then the keys. */
export type Chain = readonly string[];

/** Where the schema of a whole body stands. */
export interface Root {
  chain: Chain;
  /** The operation, as a word; absent: it is a component. */
  operation?: string;
  /** It is sent by callers. */
  isInput: boolean;
}

export interface Form extends Root {
  id: number;
  /** The schema; each schema in it is a `Use`. */
  body: JsonObject;
  /** Characters of its JSON with all that is in it. */
  size: number;
  /** The keys that have it, as words. */
  keys: Set<string>;
  /** By other forms. */
  uses: Use[];
  /** How often it is a whole body. */
  roots: number;
}

/** A form in its place. */
export class Use {
  constructor(
    readonly form: Form,
    readonly notes: JsonObject,
    /** The form that it is in; null: it is a whole body. */
    public within: Form | null = null,
  ) {}

  toJSON(): unknown {
    return [this.form.id, this.notes];
  }
}

/** Collects forms; the first place of each gives it its chain. */
export function collectForms() {
  const forms = new Map<string, Form>();

  function read(schema: JsonObject, root: Root): Use {
    const notes = pickDefined(schema, isType(schema) ? NOTES : ['default']);
    const bare = withoutKeys(schema, Object.keys(notes));
    const body = mapInside(bare, root.chain, (inner, chain) => read(inner, { ...root, chain }));
    const form = formOf(body, root);
    form.keys.add(root.chain.at(-1) ?? '');
    return new Use(form, notes);
  }

  function formOf(body: JsonObject, root: Root): Form {
    const key = JSON.stringify(body);
    const known = forms.get(key);
    if (known) return known;
    const inside = usesIn(body);
    const size = inside.reduce((sum, { form }) => sum + form.size, key.length);
    const form: Form = { ...root, id: forms.size, body, size, keys: new Set(), uses: [], roots: 0 };
    forms.set(key, form);
    for (const use of inside) {
      use.within = form;
      use.form.uses.push(use);
    }
    return form;
  }

  return {
    /** The schema of a whole body. */
    root(schema: JsonObject, root: Root): Use {
      const use = read(schema, root);
      use.form.roots += 1;
      return use;
    },
    /** In the order of their first places. */
    all: (): Form[] => [...forms.values()],
  };
}

/** What these hold are schemas by names that anyone may choose. */
const BY_NAME = ['properties', 'patternProperties'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];

/** The schema with each schema in it changed, which is told its chain. */
export function mapInside(
  schema: JsonObject,
  chain: Chain,
  change: (inner: JsonObject, chain: Chain) => unknown,
): JsonObject {
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (BY_NAME.includes(key) && isObject(value)) {
      const named = Object.entries(value).map(([name, inner]) => [
        name,
        isObject(inner) ? change(inner, [...chain, ...stepOf(name)]) : inner,
      ]);
      return [key, Object.fromEntries(named)];
    }
    if (LISTS.includes(key) && Array.isArray(value))
      return [key, value.map((one: unknown) => (isObject(one) ? change(one, chain) : one))];
    const isOne = key === 'items' || key === 'additionalProperties';
    return [key, isOne && isObject(value) ? change(value, ofOne(chain)) : value];
  });
  return Object.fromEntries(entries);
}

/** The uses that a body holds. */
export function usesIn(value: unknown): Use[] {
  if (value instanceof Use) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(usesIn);
}

/** `data` is the answer itself. */
const stepOf = (key: string): string[] => (key === 'data' ? [] : [wordOf(key)]);

/** `daily_caps` is DailyCaps. */
export const wordOf = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');

/** One of several. */
const ofOne = (chain: Chain): Chain => [...chain.slice(0, -1), singular(chain.at(-1) ?? '')];

export function singular(word: string): string {
  if (/(?:ss|us|is)$/.test(word)) return word;
  if (/(?:ss|us|x|ch)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/s$/, '');
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
