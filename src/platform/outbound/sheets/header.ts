/** The first row of a sheet, which names its columns: written with the first row that is appended to an empty one. */
import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import type { TransportReply } from '../reply.js';
import { lruMap } from '../../../lib/lruMap.js';
import type { ReadSheet } from './findRow.js';

/** How long a sheet that had a first row counts as having one, in milliseconds. */
const KNOWN_MS = 600_000;
const KNOWN_MAX = 1_000;

const FirstRow = z.object({ values: z.array(z.array(z.unknown())).default([]) });

/** The result of an append; `isWritten` where the sheet has a first row now. */
interface Attempt {
  reply: TransportReply;
  isWritten: boolean;
}

export interface SheetTop {
  spreadsheetId: string;
  /** The first row, in A1 notation. */
  range: string;
  /** On the clock of performance.now(). */
  by: number;
}

/**
 * Appends with or without a header. Of rows that come together for a sheet not checked yet, the first one checks and
 * the others wait for it, so that one process writes one header. It never overwrites anything in the sheet: two
 * processes that check at the same moment may both write a header.
 */
export function createHeaderCache(read: ReadSheet) {
  const known = lruMap<string, { at: number; attempt: Promise<Attempt> }>(KNOWN_MAX);

  const look = async (
    top: SheetTop,
    append: (withHeader: boolean) => Promise<TransportReply>,
  ): Promise<Attempt> => {
    const found = await hasFirstRow(top, read);
    if (typeof found === 'object') return { reply: found, isWritten: false };
    const reply = await append(!found);
    return { reply, isWritten: found || (reply.kind === 'answered' && reply.status < 300) };
  };

  return async (
    top: SheetTop,
    append: (withHeader: boolean) => Promise<TransportReply>,
  ): Promise<TransportReply> => {
    const key = `${top.spreadsheetId} ${top.range}`;
    for (;;) {
      const one = known.get(key);
      if (!one || performance.now() - one.at > KNOWN_MS) {
        const attempt = look(top, append);
        known.set(key, { at: performance.now(), attempt });
        return (await attempt).reply;
      }
      if ((await one.attempt).isWritten) return append(false);
      if (known.get(key) === one) known.delete(key);
      if (performance.now() > top.by)
        return { kind: 'not_sent', reason: 'the sheet gave no answer' };
    }
  };
}

/** Whether the sheet has a first row, or the reply that leaves it unknown. */
async function hasFirstRow(
  { spreadsheetId, range, by }: SheetTop,
  read: ReadSheet,
): Promise<boolean | TransportReply> {
  const path = `${encodeURIComponent(spreadsheetId)}/values/${encodeURIComponent(range)}`;
  const reply = await read(`${path}?majorDimension=ROWS&prettyPrint=false`, by);
  // Only a read was sent: whatever its result, nothing was written.
  if (reply.kind !== 'answered') return { kind: 'not_sent', reason: reply.reason };
  if (reply.status !== 200) return reply.status < 500 ? reply : unreadable(reply.status);
  try {
    const { values } = FirstRow.parse(JSON.parse(reply.body));
    return (values[0] ?? []).some((cell) => cell !== '');
  } catch {
    return unreadable(reply.status);
  }
}

const unreadable = (status: number): TransportReply => ({
  kind: 'not_sent',
  reason: `the first row of the sheet could not be read: Google Sheets answered ${String(status)}`,
});
