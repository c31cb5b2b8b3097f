/** New leads while a person reads the list: counted, and shown when asked for. */
import { useEffect, useState } from 'react';
import { useSession } from '../../lib/session.js';

export interface LiveLeads {
  /** How many have come since the list was read. */
  count: number;
  isConnected: boolean;
  /** The list shows them now. */
  clear(): void;
}

/** @param query of the feed; null: none is followed. A hidden tab follows none, and catches up when it is seen. */
export function useLiveLeads(query: string | null): LiveLeads {
  const { api } = useSession();
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [isConnected, setIsConnected] = useState(false);
  useEffect(() => {
    setIds(new Set());
    if (query === null) return undefined;
    let source: EventSource | null = null;
    // Of the latest event, also of those that only say how far the feed has come.
    let after = '';
    const open = (): void => {
      const params = new URLSearchParams(query);
      if (after !== '') params.set('after', after);
      source = new EventSource(`${api.replace(/\/actions$/, '')}/leads/live?${params.toString()}`);
      source.onopen = () => setIsConnected(true);
      source.onerror = () => setIsConnected(false);
      source.addEventListener('lead', ({ data, lastEventId }: MessageEvent<string>) => {
        after = lastEventId;
        const { id } = JSON.parse(data) as { id: string };
        setIds((before) => new Set([...before, id]));
      });
    };
    const close = (): void => {
      source?.close();
      source = null;
      setIsConnected(false);
    };
    const onVisible = (): void => {
      if (document.visibilityState === 'hidden') close();
      else if (source === null) open();
    };
    onVisible();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      document.removeEventListener('visibilitychange', onVisible);
      close();
    };
  }, [api, query]);
  return { count: ids.size, isConnected, clear: () => setIds(new Set()) };
}
