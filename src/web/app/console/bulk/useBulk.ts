/** A command on many records: what it would do, then what it did, a bounded number at a time. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';

/** What the service reports about one record. */
export interface BulkRow {
  lead_id: string | null;
  result: string;
  /** Why it was not done. */
  message: string | null;
}

export interface BulkAnswer<R> {
  report?: readonly R[];
  continue_from?: string | null;
}

/** The records of a call: named, or those of a filter from there on. */
export type BulkPart = { ids: readonly string[] } | { continue_from?: string };

export interface Bulk<R extends BulkRow> {
  /** The records by their ids; null: those that match a filter. */
  ids: readonly string[] | null;
  /** The id by which the record is changed; null: there is none. */
  keyOf(row: R): string | null;
  /** Resolves with null when it was refused. */
  check(part: BulkPart): Promise<BulkAnswer<R> | null>;
  carryOut(ids: readonly string[], order: BulkOrder): Promise<BulkAnswer<R> | null>;
  /** Why the last call was refused. */
  error: Error | null;
}

/** What a person typed and pressed. */
export interface BulkOrder {
  note: string;
  /** Of several buttons the one that was pressed; otherwise empty. */
  act: string;
}

/** checking: what it would do. asking: to be confirmed. stopped: by the person, or at an error. */
export type BulkStage = 'checking' | 'asking' | 'running' | 'stopped' | 'done';

interface Progress<R> {
  stage: BulkStage;
  /** Of the dry run. */
  checked: readonly R[];
  /** More match the filter than were checked. */
  isCut: boolean;
  /** Of the command. */
  done: readonly R[];
  /** Ids that the command has not come to. */
  left: readonly string[];
}

export interface BulkRun<R> extends Progress<R> {
  /** Carries it out, or goes on with what is left. Resolves with what was done; null: some are left. */
  run(order: BulkOrder): Promise<readonly R[] | null>;
  stop(): void;
  checkAgain(): void;
}

/** Maximum ids of one call, and records of a page of a dry run. */
export const BULK_MAX = 1_000;
/** Pages of a dry run: a command on more is repeated for the rest. */
const CHECKED_PAGES_MAX = 10;
/** Records of one call, so that the progress is seen. */
const AT_ONCE = 100;

/** The call took too long to come to it: it is tried again in the next one. */
const isLeft = ({ result }: BulkRow): boolean => result === 'not_tried';
export const wouldBeDone = ({ result }: BulkRow): boolean =>
  result === 'would_be_done' || result === 'done';

export function useBulk<R extends BulkRow>(bulk: Bulk<R>): BulkRun<R> {
  const [progress, setProgress] = useState<Progress<R>>(BEGUN);
  const stopped = useRef({ is: false });
  const isStopped = (): boolean => stopped.current.is;

  const check = async (): Promise<void> => {
    setProgress(BEGUN);
    const found = await checkAll(bulk);
    if (!found) {
      setProgress({ ...BEGUN, stage: 'stopped' });
      return;
    }
    const left = found.rows.filter(wouldBeDone).flatMap((row) => bulk.keyOf(row) ?? []);
    setProgress({ stage: 'asking', checked: found.rows, isCut: found.isCut, done: [], left });
  };
  const onOpen = useEffectEvent(() => void check());
  useEffect(() => {
    onOpen();
    return () => {
      stopped.current.is = true;
    };
  }, []);

  const run = async (order: BulkOrder): Promise<readonly R[] | null> => {
    stopped.current.is = false;
    let { left, done } = progress;
    setProgress((before) => ({ ...before, stage: 'running' }));
    while (left.length > 0 && !isStopped()) {
      const some = left.slice(0, AT_ONCE);
      const answer = await bulk.carryOut(some, order);
      if (!answer) break;
      const rows = answer.report ?? [];
      const again = rows.filter(isLeft).flatMap((row) => bulk.keyOf(row) ?? []);
      done = [...done, ...rows.filter((row) => !isLeft(row))];
      left = [...again, ...left.slice(AT_ONCE)];
      const now = { done, left };
      setProgress((before) => ({ ...before, ...now }));
    }
    const stage = left.length === 0 ? 'done' : 'stopped';
    setProgress((before) => ({ ...before, stage }));
    return stage === 'done' ? done : null;
  };
  return {
    ...progress,
    run,
    stop: () => {
      stopped.current.is = true;
    },
    checkAgain: () => void check(),
  };
}

const BEGUN = { stage: 'checking' as const, checked: [], isCut: false, done: [], left: [] };

async function checkAll<R extends BulkRow>(
  bulk: Bulk<R>,
): Promise<{ rows: R[]; isCut: boolean } | null> {
  const rows: R[] = [];
  if (bulk.ids) {
    for (const ids of chunks(bulk.ids, BULK_MAX)) {
      const answer = await bulk.check({ ids });
      if (!answer) return null;
      rows.push(...(answer.report ?? []));
    }
    return { rows, isCut: false };
  }
  let continue_from: string | undefined;
  for (let page = 0; page < CHECKED_PAGES_MAX; page += 1) {
    const answer = await bulk.check({ continue_from });
    if (!answer) return null;
    rows.push(...(answer.report ?? []));
    continue_from = answer.continue_from ?? undefined;
    if (continue_from === undefined) return { rows, isCut: false };
  }
  return { rows, isCut: true };
}

/** Runs of at most `size`, in their order. */
const chunks = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, nth) =>
    all.slice(nth * size, (nth + 1) * size),
  );
