/** One visitor of a funnel: opens the page, fills it in, and sends it until it knows the end. Knows nothing but HTML. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  createHtmlVisitor,
  fillIn,
  type HtmlPage,
  type Person,
} from '../../support/html/htmlVisitor.js';
import { RESULT_TITLES, type Outcome } from './definition.js';

/**
 * What a visitor does: sends once; presses the button twice; sends the same page again after its end; or goes back after
 * its end and sends other answers.
 */
export const MANNERS = ['once', 'twice', 'again', 'changed'] as const;
export type Manner = (typeof MANNERS)[number];

/** What one visitor saw. */
export interface Visit {
  n: number;
  manner: Manner;
  /** Of the person, and of the one that it was changed to. */
  emails: string[];
  /** The ends that it was shown, in order. */
  seen: Outcome[];
  /** Answers that are none of a page: statuses other than 200, 422, 429 and 503. */
  unexpected: string[];
  /** How often it sent the page, and how often it got no answer. */
  sent: number;
  broken: number;
}

export interface VisitOptions {
  url: string;
  n: number;
  manner: Manner;
  /** Milliseconds between the page and its sending. */
  readsMs: number;
  /** Heard when a page is about to be sent. */
  onSubmit(): void;
  /** Whether it has had enough. */
  isOver(): boolean;
}

/** Between two tries. */
const PAUSE_MS = 250;
/** A kill answers nothing: whoever waits longer than this sends again. */
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
  /** Sends it until there is an end; a page that asks to send again is sent again. */
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

/** Nobody else has them: leads are told apart by them, and none is a duplicate of another visitor's. */
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

/** Each comes from a connection of its own. */
const addressOf = (n: number): string => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;

function outcomeOf({ text }: HtmlPage): Outcome | null {
  const found = Object.entries(RESULT_TITLES).find(([, title]) => text.includes(title));
  return found ? (found[0] as Outcome) : null;
}

/** Tries until a page is the one that is waited for; null when the visitor has had enough. */
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
