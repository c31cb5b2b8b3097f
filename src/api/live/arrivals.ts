/**
 * One reader for all who follow an organization's leads: it looks once a second, however many follow, and only while
 * somebody does. Leads are handed on in the order of their arrival, and only once no earlier one can appear any more:
 * one place in that order says what a client has had.
 */
import { STORED_BY_MS } from '../../ingest/deadlines.js';
import type { Clock } from '../../lib/clock.js';
import { readArrivals, type Arrival } from '../../leads/store/arrivals.js';
import type { ListedLead } from '../../leads/store/leadPages.js';
import type { ActionCollections } from '../actions/action.js';
import { withNull } from '../actions/exits.js';
import { leadRow, PEOPLE_OF_A_LEAD } from '../actions/leadViews.js';
import { readRowNames } from '../actions/rowNames.js';
import { LeadRow } from '../actions/schemas/lead.js';

/** A lead, its place among the others, and how it is shown. */
export interface LiveLead {
  arrival: Arrival;
  lead: ListedLead;
  /** JSON. @param isBlind without what says who the person is */
  text: (isBlind: boolean) => string;
}

/** The next leads in order. */
export interface Step {
  leads: readonly LiveLead[];
  /** Every lead up to here has been handed on. */
  reached: Arrival;
  /** There are more already. */
  isFull: boolean;
}

export type Take = (step: Step) => void;

export interface LiveScope {
  org_id: string;
  is_test: boolean;
}

export interface ArrivalsDeps {
  collections: ActionCollections;
  clock: Pick<Clock, 'now'>;
  /** Milliseconds between two looks. */
  everyMs?: number;
  /** Milliseconds after which no earlier lead can appear. */
  settledMs?: number;
}

const EVERY_MS = 1_000;
/** A lead is stored within that time of its arrival; the clocks of the servers may differ by the rest. */
const SETTLED_MS = STORED_BY_MS + 800;
const BATCH = 500;

interface Reader {
  takers: Set<Take>;
  stop(): void;
}

export type Arrivals = ReturnType<typeof createArrivals>;

export function createArrivals(deps: ArrivalsDeps) {
  const { collections, clock, everyMs = EVERY_MS, settledMs = SETTLED_MS } = deps;
  const readers = new Map<string, Reader>();
  const settled = (): Arrival => ({ at: new Date(Number(clock.now()) - settledMs), id: '' });

  const readAfter = async (scope: LiveScope, after: Arrival): Promise<Step> => {
    const until = settled();
    const wanted = { ...scope, after, before: until.at, limit: BATCH };
    const leads = await readArrivals(collections.leads, wanted);
    const isFull = leads.length === BATCH;
    const shown = await shownLeads(leads, { collections, orgId: scope.org_id });
    const last = shown.at(-1)?.arrival;
    return { leads: shown, isFull, reached: isFull && last ? last : laterOf(after, until) };
  };

  const startReader = (scope: LiveScope): Reader => {
    const takers = new Set<Take>();
    let reached = settled();
    let timer: NodeJS.Timeout | undefined;
    let isStopped = false;
    const look = async (): Promise<void> => {
      // What cannot be read now is read at the next look: the place stays.
      const step = await readAfter(scope, reached).catch(() => null);
      if (isStopped) return;
      if (step) {
        reached = step.reached;
        for (const take of takers) take(step);
      }
      timer = setTimeout(() => void look(), step?.isFull ? 0 : everyMs).unref();
    };
    timer = setTimeout(() => void look(), everyMs).unref();
    const stop = (): void => {
      isStopped = true;
      clearTimeout(timer);
    };
    return { takers, stop };
  };

  return {
    /** The place up to which every lead is there. */
    settled,
    /** The leads after a place, at most a batch of them. */
    readAfter,
    /** Hands on every later step. @returns ends it */
    follow(scope: LiveScope, take: Take): () => void {
      const key = `${scope.org_id} ${String(scope.is_test)}`;
      const reader = readers.get(key) ?? startReader(scope);
      readers.set(key, reader);
      reader.takers.add(take);
      return () => {
        reader.takers.delete(take);
        if (reader.takers.size > 0 || readers.get(key) !== reader) return;
        reader.stop();
        readers.delete(key);
      };
    },
  };
}

export const isAfter = (one: Arrival, other: Arrival): boolean =>
  Number(one.at) > Number(other.at) || (Number(one.at) === Number(other.at) && one.id > other.id);

const laterOf = (one: Arrival, other: Arrival): Arrival => (isAfter(one, other) ? one : other);

async function shownLeads(
  leads: readonly ListedLead[],
  of: { collections: ActionCollections; orgId: string },
): Promise<LiveLead[]> {
  if (leads.length === 0) return [];
  const namesOf = await readRowNames(of, leads);
  return leads.map((lead) => {
    const row = LeadRow.parse({ ...leadRow(lead), ...namesOf(lead) });
    const whole = JSON.stringify(row);
    return {
      lead,
      arrival: { at: lead.created_at, id: lead._id },
      text: (isBlind) => (isBlind ? JSON.stringify(withNull(row, PEOPLE_OF_A_LEAD)) : whole),
    };
  });
}
