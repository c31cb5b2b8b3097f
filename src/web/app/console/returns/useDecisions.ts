/**
 * Decisions on single returns. The service cannot take one back, so each waits here for some seconds, in which it can be
 * undone; leaving the screen makes it at once.
 */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError, post } from '../../lib/api.js';
import { useSession } from '../../lib/session.js';
import { useToast } from '../../ui/index.js';
import { DECIDED_WORDS, type Return, type Verdict } from './words.js';

/** waiting: it can be undone. */
export interface Decision {
  verdict: Verdict;
  stage: 'waiting' | 'sending' | 'done';
}

export interface Decisions {
  of(id: string): Decision | undefined;
  decide(row: Pick<Return, 'id'>, verdict: Verdict, note?: string): void;
  undo(id: string): void;
}

/** As long as a message with Undo is shown. */
const UNDO_MS = 7_000;

interface Waiting {
  verdict: Verdict;
  note: string;
  timer: number;
}

export function useDecisions(): Decisions {
  const toast = useToast();
  const { api } = useSession();
  const [decisions, setDecisions] = useState<ReadonlyMap<string, Decision>>(new Map());
  const waiting = useRef(new Map<string, Waiting>());
  const set = (id: string, decision: Decision | null): void =>
    setDecisions((before) => {
      const after = new Map(before);
      if (decision) after.set(id, decision);
      else after.delete(id);
      return after;
    });

  const send = async (id: string): Promise<void> => {
    const one = waiting.current.get(id);
    if (!one) return;
    clearTimeout(one.timer);
    waiting.current.delete(id);
    const { verdict, note } = one;
    set(id, { verdict, stage: 'sending' });
    try {
      await post(`${api}/resolve_return`, { return_id: id, result: verdict, note: note || null });
      set(id, { verdict, stage: 'done' });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      set(id, null);
      toast(`Not ${verdict}ed. ${error.message}`, { tone: 'bad' });
    }
  };
  const undo = (id: string): void => {
    clearTimeout(waiting.current.get(id)?.timer);
    waiting.current.delete(id);
    set(id, null);
  };
  const decide: Decisions['decide'] = ({ id }, verdict, note = '') => {
    if (decisions.has(id)) return;
    const timer = window.setTimeout(() => void send(id), UNDO_MS);
    waiting.current.set(id, { verdict, note, timer });
    set(id, { verdict, stage: 'waiting' });
    const [text] = DECIDED_WORDS[verdict].then;
    toast(`Return ${text.toLowerCase()}.`, { undo: () => undo(id) });
  };

  const sendAll = useEffectEvent(() => {
    for (const id of [...waiting.current.keys()]) void send(id);
  });
  useEffect(() => {
    const onLeave = (event: BeforeUnloadEvent): void => {
      if (waiting.current.size === 0) return;
      sendAll();
      event.preventDefault();
    };
    addEventListener('beforeunload', onLeave);
    return () => {
      removeEventListener('beforeunload', onLeave);
      sendAll();
    };
  }, []);
  return { of: (id) => decisions.get(id), decide, undo };
}
