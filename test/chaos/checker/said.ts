/** Outcomes that buyers reported and their answers, by the key of each outcome, with the changes on record. */
import type { ChangeDoc } from '../../../src/outcomes/store/outcomeDocs.js';
import type { OutcomeAsked, OutcomeTold } from '../afterSale/evidence.js';
import type { Evidence } from '../evidence/evidence.js';

/** One request and its answer; null when the run ended before. */
export interface Word {
  asked: OutcomeAsked;
  told: OutcomeTold | null;
}

/** One outcome, however often it was sent. */
export interface Said {
  key: string;
  /** The outcome as intended: the first request. */
  meant: OutcomeAsked;
  words: readonly Word[];
  /** The same key with another body. */
  altered: readonly Word[];
  /** Its changes on record: one, unless something is wrong. */
  docs: readonly ChangeDoc[];
}

export function saidOf({ history, after }: Pick<Evidence, 'history' | 'after'>): Said[] {
  const told = new Map<number, OutcomeTold>();
  for (const event of history) if (event.kind === 'outcome_told') told.set(event.op, event);
  const words = history
    .filter((event) => event.kind === 'outcome_asked')
    .map((asked): Word => ({ asked, told: told.get(asked.op) ?? null }));
  const docs = Map.groupBy(after.outcomes, noteOf);
  return [...Map.groupBy(words, ({ asked }) => asked.key)].flatMap(([key, all]) => {
    const own = all.filter(({ asked }) => !asked.altered);
    const [first] = own;
    if (!first) return [];
    const altered = all.filter(({ asked }) => asked.altered);
    return [{ key, meant: first.asked, words: own, altered, docs: docs.get(key) ?? [] }];
  });
}

/** Every outcome that a buyer sends has its key as its note. */
export const noteOf = ({ ask }: ChangeDoc): string =>
  ask.kind === 'outcome' ? (ask.note ?? '') : '';

/** When it was first acknowledged; null when it never was. */
export function acknowledgedAt({ words }: Pick<Said, 'words'>): number | null {
  const times = words.flatMap(({ told }) => (told?.answer === 'made' ? [told.at] : []));
  return times.length === 0 ? null : Math.min(...times);
}

/** Every request of it was definitively refused. */
export const isRefused = ({ words }: Pick<Said, 'words'>): boolean =>
  words.every(({ told }) => told?.result === 'fail');

/** Changes that their leads have, in the order in which they were made. */
export const madeOf = (docs: readonly ChangeDoc[]): ChangeDoc[] =>
  docs.filter(({ seq }) => seq !== undefined).sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0));
