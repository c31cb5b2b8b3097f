/** Follows events until Ctrl-C, for `events tail` and `listen`, and shows each as a line. */
import { setTimeout as delay } from 'node:timers/promises';
import { readManifest, type CommandEntry } from '../actions/manifest.js';
import { followServer } from '../client/call.js';
import { UsageError } from '../terminal/errors.js';
import { follow } from './follow.js';
import { readSince } from './wanted.js';
import type { Row } from '../output/rows.js';
import type { Terminal } from '../terminal/terminal.js';
import { createEventFeed } from './eventFeed.js';
import { factsOf, readWantedEvents, type TypedEvents } from './wantedEvents.js';
import { visible } from '../output/cells.js';
import { getOwn } from '../../src/lib/getOwn.js';

export interface FollowedEvents extends TypedEvents {
  since?: string;
  profile?: string;
}

/** Together with the polls at most 60 calls a minute. */
const PAUSE_MS = 1_000;

/** @throws {UsageError | Refused | Unreachable} permanent errors, in words for the command */
export async function followEvents(
  terminal: Terminal,
  cli: readonly [string, ...string[]],
  { since, profile, ...typed }: FollowedEvents,
  show: (rows: Row[]) => void | Promise<void>,
): Promise<void> {
  const entry = eventsEntry();
  const wanted = readWantedEvents(typed, entry.flags.find(({ key }) => key === 'type')?.choices);
  const from = since === undefined ? null : readSince(since, Date.now());
  await followServer(terminal, { profile, cli, flags: entry.flags }, async (client, { signal }) => {
    const feed = createEventFeed(client, {
      wanted,
      since: from,
      now: Date.now,
      say: terminal.say,
      pause: () => delay(PAUSE_MS, undefined, { signal }),
    });
    await follow(feed, { signal, say: terminal.say, show });
  });
}

/** The action that lists events, and the fields of one. */
export function eventsEntry(): CommandEntry {
  const entry = readManifest().find(({ name }) => name === 'list_events');
  if (entry) return entry;
  throw new UsageError('This program has no action list_events; build it again.');
}

/** Fields of an event's data that its line shows, in this order. */
const SHOWN_FACTS = ['status', 'outcome', 'reason', 'buyer_id', 'campaign_id', 'revenue', 'count'];

/** An event as people read it: time, kind, lead, and its state. */
export function eventLine(event: Row, paint: Terminal['paint']): string {
  const facts = factsOf(event);
  const shown = SHOWN_FACTS.flatMap((key) => {
    const value: unknown = getOwn(facts, key);
    const isThere = value !== undefined && value !== null;
    return isThere
      ? [`${key} ${visible(typeof value === 'string' ? value : JSON.stringify(value))}`]
      : [];
  });
  const lead = typeof event.lead_id === 'string' ? `lead ${event.lead_id}` : '';
  return [
    String(event.created_at),
    paint.bold(String(event.type).padEnd(15)),
    ...[lead, ...shown].filter((part) => part !== ''),
    ...(facts.is_test === true ? [paint.dim('test')] : []),
  ].join('  ');
}
