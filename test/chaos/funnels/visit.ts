/** One visitor of a funnel: opens the page, fills it in, and submits until it sees an end page. Knows only HTML. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  createHtmlVisitor,
  fillIn,
  type HtmlPage,
  type Person,
} from '../../support/html/htmlVisitor.js';
import { RESULT_TITLES, type Outcome } from './definition.js';

/**
 * What a visitor does: submits once; clicks the button twice; submits the same page again after its end page; or goes
 * back after its end page and submits other answers.
 */
export const MANNERS = ['once', 'twice', 'again', 'changed'] as const;
export type Manner = (typeof MANNERS)[number];

/** What one visitor saw. */
export interface Visit {
  n: number;
  manner: Manner;
  /** The person's email, and the one it was changed to. */
  emails: string[];
  /** The end pages that it saw, in order. */
  seen: Outcome[];
  /** Answers that no page gives: statuses other than 200, 422, 429 and 503. */
  unexpected: string[];
  /** How often it submitted the page, and how often it got no answer. */
  sent: number;
  broken: number;
}

export interface VisitOptions {
  url: string;
  n: number;
  manner: Manner;
  /** Milliseconds between loading the page and submitting it. */
  readsMs: number;
  /** Called when a page is about to be submitted. */
  onSubmit(): void;
  /** Whether it gives up. */
  isOver(): boolean;
}

/** Between two tries. */
const PAUSE_MS = 250;
/** A kill leaves requests without an answer: a visitor that waits longer than this submits again. */
const TIMEOUT_MS = 20_000;
const EXPECTED = new Set([200, 422, 429, 503]);

export async function visit(options: VisitOptions): Promise<Visit> {
  const { n, manner } = options;
  const person = personOf(n);
  const seen: Visit = {
    n,
    manner,
    emails: [person.email],
    seen: [],
    unexpected: [],
    sent: 0,
    broken: 0,
  };
  const visitor = createHtmlVisitor({ 'x-forwarded-for': addressOf(n) }, TIMEOUT_MS);
  const attempt = async (work: () => Promise<HtmlPage>): Promise<HtmlPage | null> => {
    try {
      const page = await work();
      if (!EXPECTED.has(page.status)) seen.unexpected.push(`${page.status} ${page.url}`);
      return page;
    } catch {
      seen.broken += 1;
      return null;
    }
  };
  const form = await until(
    options,
    () => attempt(() => visitor.open(options.url)),
    (page) => page.status === 200 && page.form !== null,
  );
  if (!form) return seen;
  await delay(options.readsMs);

  const send = (page: HtmlPage, as: Person): Promise<HtmlPage | null> => {
    seen.sent += 1;
    options.onSubmit();
    return attempt(() => visitor.submit(page, page.form ? fillIn(page.form, as) : []));
  };
  /** Submits until an end page comes; a page that asks for another submit gets one. */
  const finish = async (as: Person): Promise<Outcome | null> => {
    let page = form;
    const ended = await until(
      options,
      () => send(page, as),
      (next) => {
        if (next.form && next.status !== 200) page = next;
        return outcomeOf(next) !== null;
      },
    );
    return ended && outcomeOf(ended);
  };
  const note = (outcome: Outcome | null): void => {
    if (outcome) seen.seen.push(outcome);
  };

  if (manner === 'twice') {
    const both = await Promise.all([send(form, person), send(form, person)]);
    both.forEach((page) => note(page && outcomeOf(page)));
  }
  if (seen.seen.length === 0) note(await finish(person));
  if (manner === 'again') note(await finish(person));
  if (manner === 'changed') {
    const other = personOf(n, 'changed');
    seen.emails.push(other.email);
    note(await finish(other));
  }
  return seen;
}

/** Unique to this visitor: leads are identified by them, and none is a duplicate of another visitor's. */
function personOf(n: number, suffix = 'first'): Person {
  const number = String(2_000_000 + 2 * n + (suffix === 'first' ? 0 : 1));
  return {
    firstName: 'Ada',
    lastName: `Visitor ${n}`,
    email: `visitor.${n}.${suffix}@example.com`,
    phone: `555${number}`,
    zip: '90210',
  };
}

/** Each visitor has an IP address of its own. */
const addressOf = (n: number): string => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;

function outcomeOf({ text }: HtmlPage): Outcome | null {
  const found = Object.entries(RESULT_TITLES).find(([, title]) => text.includes(title));
  return found ? (found[0] as Outcome) : null;
}

/** Loads a page until it is the expected one; null when the visitor gives up. */
async function until(
  options: VisitOptions,
  attempt: () => Promise<HtmlPage | null>,
  isRight: (page: HtmlPage) => boolean,
): Promise<HtmlPage | null> {
  while (!options.isOver()) {
    const page = await attempt();
    if (page && isRight(page)) return page;
    await delay(PAUSE_MS);
  }
  return null;
}
