/** What the palette finds: screens and acts by their words, records by the search of the service. */
import {
  Briefcase,
  CirclePause,
  CirclePlay,
  FileClock,
  KeyRound,
  Megaphone,
  Truck,
  UserPlus,
  UserRound,
  type LucideIcon,
} from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Screen } from '../lib/route.js';
import { useCan } from '../lib/session.js';
import { useCall, type ActionName, type OutputOf } from '../lib/useActions.js';

export interface Entry {
  id: string;
  group: 'Screens' | 'Acts' | 'Found' | 'Lately';
  icon?: LucideIcon;
  label: string;
  detail?: string;
  keys?: string;
  /** Opens a screen, or chooses the buyer of an act. */
  go: { href: string } | { pick: Pick } | { keys: true };
}

/** An act on a buyer, which is chosen next. */
export type Pick = 'paused' | 'active';

interface Act {
  label: string;
  icon: LucideIcon;
  needs: ActionName;
  go: Entry['go'];
}

const ACTS: readonly Act[] = [
  { label: 'Pause a buyer…', icon: CirclePause, needs: 'update_buyer', go: { pick: 'paused' } },
  { label: 'Resume a buyer…', icon: CirclePlay, needs: 'update_buyer', go: { pick: 'active' } },
  {
    label: 'Create an API key…',
    icon: KeyRound,
    needs: 'create_api_key',
    go: { href: '/keys?new=1' },
  },
  {
    label: 'Invite a person…',
    icon: UserPlus,
    needs: 'invite_member',
    go: { href: '/members?invite=1' },
  },
  {
    label: 'See what was changed today',
    icon: FileClock,
    needs: 'list_audit',
    go: { href: '/audit?days=today' },
  },
];

type Result = OutputOf<'search'>['results'][number];

const KINDS: Readonly<Record<Result['type'], { icon: LucideIcon; path: string; word: string }>> = {
  lead: { icon: UserRound, path: '/leads', word: 'Lead' },
  campaign: { icon: Megaphone, path: '/campaigns', word: 'Campaign' },
  buyer: { icon: Briefcase, path: '/buyers', word: 'Buyer' },
  supplier: { icon: Truck, path: '/suppliers', word: 'Supplier' },
};

/** Milliseconds without a further key before the service is asked. */
const WAIT_MS = 250;
const LEAST_CHARS = 2;
const EACH_MAX = 5;

/** Chosen since this page was opened, the latest first: nothing of it is kept in the browser. */
let lately: readonly Entry[] = [];

export function remember(entry: Entry): void {
  const others = lately.filter(({ id }) => id !== entry.id);
  lately = [{ ...entry, group: 'Lately' as const }, ...others].slice(0, EACH_MAX);
}

interface Found {
  entries: readonly Entry[];
  isSearching: boolean;
  /** What was not searched. */
  notes: readonly string[];
}

/** @param pick only buyers are found, for an act */
export function useEntries(text: string, screens: readonly Screen[], pick: Pick | null): Found {
  const can = useCanEach(ACTS.map(({ needs }) => needs));
  const maySearch = useCan('search');
  const query = useSettled(text.trim());
  const isAsked = maySearch && query.length >= LEAST_CHARS;
  const types = pick === null ? undefined : (['buyer'] as const);
  const found = useCall(
    'search',
    { query, max_results: EACH_MAX, types: types && [...types] },
    { isOff: !isAsked },
  );
  const results = isAsked && query === text.trim() ? (found.data?.results ?? []) : [];
  const records = results.map(entryOf);
  const notes = isAsked ? (found.data?.notes ?? []) : [];
  const isSearching = maySearch && (found.isFetching || query !== text.trim());
  if (pick !== null) return { entries: records, isSearching, notes };
  const words = text.toLowerCase().split(/\s+/u).filter(Boolean);
  const fits = ({ label }: { label: string }) =>
    words.every((word) => label.toLowerCase().includes(word));
  const acts = ACTS.filter((act, n) => can[n] === true && fits(act)).map(
    ({ label, icon, go }): Entry => ({ id: label, group: 'Acts', icon, label, go }),
  );
  const ofScreens = screens.flatMap(({ label, path, icon, shortcut }): Entry[] => {
    if (label === undefined || !fits({ label })) return [];
    const keys = shortcut === undefined ? undefined : `G ${shortcut.toUpperCase()}`;
    return [{ id: path, group: 'Screens', icon, label, keys, go: { href: path } }];
  });
  const keys: Entry = {
    id: 'keys',
    group: 'Acts',
    label: 'Show the keys',
    keys: '?',
    go: { keys: true },
  };
  const before = words.length === 0 ? lately : [];
  const entries = [...before, ...records, ...ofScreens, ...acts, ...(fits(keys) ? [keys] : [])];
  return { entries, isSearching, notes };
}

function entryOf({ type, id, name, status, detail }: Result): Entry {
  const { icon, path, word } = KINDS[type];
  return {
    id: `${type} ${id}`,
    group: 'Found',
    icon,
    label: name ?? id,
    detail: [word, status, detail].filter(Boolean).join(' · '),
    go: { href: `${path}/${id}` },
  };
}

/** The text once nothing was typed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), WAIT_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** The acts are always the same, and so is the order of the hooks. */
const useCanEach = (names: readonly ActionName[]): readonly boolean[] => names.map(useCan);
