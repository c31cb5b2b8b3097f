/**
 * Schemas that occur in several places are written once, as components: every object of some size and every list of words, so
 * that a client has one type for each, and values that many inputs share. They are found by their form, and named by the first place
 * that has them, so that a new action needs no list. `NAMED` of `schemas.ts` fixes the names of the main nouns.
 */
import { getOwn } from '../../lib/getOwn.js';
import type { JsonObject } from '../../lib/jsonSchema.js';
import {
  collectForms,
  isType,
  mapInside,
  singular,
  Use,
  usesIn,
  wordOf,
  type Form,
  type Root,
} from './forms.js';

/** Characters of the JSON of an object; a smaller one is written where it is used. */
const TYPE_MIN = 160;
/** The same of a plain value, and in how many places it must be: more where its key is one word, which says little. */
const VALUE_MIN = 80;
const PLACES_MIN = { words: 3, word: 12 };
const PREFIX = '#/components/schemas/';

/**
 * The document with its repeated schemas as components. With each reference replaced by what it refers to, it is what it was.
 * @param document without schemas that refer to themselves
 */
export function hoisted(document: JsonObject): JsonObject {
  const copy = structuredClone(document);
  const { schemas = {} } = copy.components as { schemas?: Record<string, JsonObject> };
  const forms = collectForms();
  // What the service returns comes first: an input of the same form has its name.
  const uses = rootsOf(copy)
    .toSorted((a, b) => Number(a.isInput) - Number(b.isInput))
    .map(({ holder, key, ...root }) => ({
      holder,
      key,
      use: forms.root(getOwn(holder, key) as JsonObject, root),
    }));
  const names = nameForms(repeatedIn(forms.all()), Object.keys(schemas));
  const write = writer(names);
  for (const { holder, key, use } of uses) holder[key] = write.whole(use);
  const added = [...names].map(([form, name]) => [name, write.component(form)] as const);
  const all = [...Object.entries(schemas), ...added].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...copy,
    components: { ...(copy.components as object), schemas: Object.fromEntries(all) },
  };
}

interface Place extends Root {
  /** The object that has the schema under this key. */
  holder: JsonObject;
  key: string;
}

/** The schemas of bodies and of components, in reading order. */
function rootsOf({ paths, components }: JsonObject): Place[] {
  const { schemas = {}, responses = {} } = components as Record<string, JsonObject>;
  const ofPaths = Object.values(paths as JsonObject).flatMap((methods) =>
    Object.values(methods as JsonObject).flatMap((operation) => {
      const { operationId, requestBody, ...answers } = operation as JsonObject;
      const id = String(operationId);
      const root = { key: 'schema', chain: [subjectOf(id)], operation: wordOf(id) };
      const given = Object.values((answers.responses ?? {}) as JsonObject);
      return [
        ...mediaIn(requestBody).map((holder) => ({ ...root, holder, isInput: true })),
        ...given.flatMap(mediaIn).map((holder) => ({ ...root, holder, isInput: false })),
      ];
    }),
  );
  const ofResponses = Object.entries(responses).flatMap(([name, response]) =>
    mediaIn(response).map((holder) => ({ holder, key: 'schema', chain: [name], isInput: false })),
  );
  const named = Object.keys(schemas).map((key) => ({
    holder: schemas,
    key,
    chain: [key],
    isInput: false,
  }));
  return [...named, ...ofPaths, ...ofResponses];
}

const mediaIn = (part: unknown): JsonObject[] =>
  Object.values(((part ?? {}) as { content?: JsonObject }).content ?? {}) as JsonObject[];

/** What an operation is about: `list_event_deliveries` is about an EventDelivery. */
function subjectOf(operationId: string): string {
  const [, subject] = /^[a-z]+_(.+)$/.exec(operationId) ?? [];
  return subject === undefined ? wordOf(operationId) : singular(wordOf(subject));
}

/** The forms that would be written twice, in the order of their first places. */
function repeatedIn(forms: readonly Form[]): Form[] {
  const times = new Map<Form, number>();
  const chosen = new Set<Form>();
  // From the outside in: what is in a component is written once, however often that is used.
  for (const form of forms.toSorted((a, b) => b.size - a.size)) {
    const inside = form.uses.reduce(
      (sum, { within }) => sum + (within && !chosen.has(within) ? (times.get(within) ?? 1) : 1),
      0,
    );
    if (isWorthAName(form, inside)) chosen.add(form);
    times.set(form, inside + form.roots);
  }
  return forms.filter((form) => chosen.has(form));
}

function isWorthAName({ body, size, keys }: Form, places: number): boolean {
  if (!isType(body)) {
    // It has the name of its key, so it must have one.
    const [key = '', ...others] = keys;
    const least = isOfWords(key) ? PLACES_MIN.words : PLACES_MIN.word;
    return others.length === 0 && places >= least && size >= VALUE_MIN && isPlain(body);
  }
  if (places < 2) return false;
  return Array.isArray(body.enum) ? body.enum.length > 1 : size >= TYPE_MIN;
}

/** Without a type in it: generators cannot read a choice between types that is a component. */
const isPlain = (body: JsonObject): boolean =>
  usesIn(body).every(({ form }) => !isType(form.body) && isPlain(form.body));

/** @param taken names of other components */
function nameForms(forms: readonly Form[], taken: readonly string[]): ReadonlyMap<Form, string> {
  const used = new Set(taken.map((name) => name.toLowerCase()));
  const names = new Map<Form, string>();
  for (const form of forms) {
    const name = candidatesOf(form).find((one) => !used.has(one.toLowerCase()));
    // Without a name it stays where it is.
    if (name === undefined) continue;
    used.add(name.toLowerCase());
    names.set(form, name);
  }
  return names;
}

/** From its key outward: a key of one word says too little by itself. Last comes the whole operation. */
function candidatesOf({ chain, isInput, body, operation }: Form): string[] {
  const last = chain.length - 1;
  if (!isType(body)) return [chain[last] ?? ''];
  const suffix = isInput && body.enum === undefined ? 'Input' : '';
  const first = chain.length === 1 || isOfWords(chain[last] ?? '') ? last : last - 1;
  const starts = Array.from({ length: first + 1 }, (_, n) => first - n);
  const names = starts.map((start) => `${joined(chain.slice(start))}${suffix}`);
  const rest = joined(chain.slice(1));
  return operation === undefined ? names : [...names, `${operation}${rest}${suffix || 'Reply'}`];
}

const isOfWords = (name: string): boolean => /[a-z][A-Z]/.test(name);

/** Lead and LeadSale make LeadSale. */
const joined = (words: readonly string[]): string =>
  words.reduceRight((name, word) => (name.startsWith(word) ? name : `${word}${name}`), '');

function writer(names: ReadonlyMap<Form, string>) {
  const shared = new Map([...names.keys()].map((form) => [form, sharedNotes(form)]));

  function part(use: Use): JsonObject {
    const name = names.get(use.form);
    if (name === undefined) return whole(use);
    const own = Object.entries(use.notes).filter(([key]) => !(key in (shared.get(use.form) ?? {})));
    return { $ref: `${PREFIX}${name}`, ...Object.fromEntries(own) };
  }

  const bodyOf = ({ body }: Form): JsonObject => mapUses(body, part);
  const whole = ({ form, notes }: Use): JsonObject => ({ ...notes, ...bodyOf(form) });
  const component = (form: Form): JsonObject => ({ ...shared.get(form), ...bodyOf(form) });
  return { whole, component };
}

const mapUses = (body: JsonObject, part: (use: Use) => JsonObject): JsonObject =>
  mapInside(body, [], (inner) => (inner instanceof Use ? part(inner) : inner));

/** What is said of a form wherever it is used. */
function sharedNotes({ uses: [first, ...others] }: Form): JsonObject {
  const same = Object.entries(first?.notes ?? {}).filter(([key, value]) =>
    others.every(({ notes }) => JSON.stringify(getOwn(notes, key)) === JSON.stringify(value)),
  );
  return Object.fromEntries(same);
}
