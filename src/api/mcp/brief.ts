/** Texts in their shortest form that still says what a thing is. */
import type { Action } from '../actions/action.js';

/** Characters of the text of a tool that changes something. */
const TEXT_MAX = 96;
/** The same of one that reads: its name and summary tell most of it. */
const READING_MAX = 64;
/** Characters of the text of a key. */
const HINT_MAX = 40;

/**
 * What an action does. The name of one that reads says as much as its summary, and the first sentence of its description says
 * what comes back; of a change both are said. Where the sentence is long, the summary is enough.
 */
export function briefOf({
  summary,
  description,
  effect,
}: Pick<Action, 'summary' | 'description' | 'effect'>): string {
  const [sentence = ''] = /^.*?[.](?=\s|$)/s.exec(description) ?? [];
  const text = effect === 'read' ? sentence : `${summary}. ${sentence}`.trim();
  const max = effect === 'read' ? READING_MAX : TEXT_MAX;
  return text === '' || text.length > max ? `${summary}.` : text;
}

/** The beginning of a key's text, up to where its first thought ends; undefined where that is long, or says what the key says. */
export function hintOf(description: unknown): string | undefined {
  if (typeof description !== 'string') return undefined;
  const [clause = ''] = description.split(/[;:.(](?:\s|$)/, 1);
  const short = shortened(clause.trim());
  return short.includes(' ') && !OBVIOUS.test(short) ? short : undefined;
}

/** A filter's own name, an id, a default without its reason, an instant as every list takes it. */
const OBVIOUS = /^(?:Only |The ids? of |Default |Always |With this )| at this instant or later$/;

/** Without its last parts between commas, until it is short. */
function shortened(text: string): string {
  if (text.length <= HINT_MAX) return text;
  const comma = text.lastIndexOf(', ');
  return comma < 0 ? '' : shortened(text.slice(0, comma));
}

/** Whether a text is made by `someOf`. */
export const namesSome = (text: string): boolean => / and \d+ more$/.test(text);

/** Some of many words, for a list that is too long to be read before every call. */
export const someOf = (words: readonly unknown[]): string =>
  `${words.slice(0, 3).join(', ')} and ${words.length - 3} more`;
