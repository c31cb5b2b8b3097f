/** Finds a screen, a record or an act by a few letters, and does it: a combobox in a dialog. */
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { Screen } from '../lib/route.js';
import { useWrite } from '../lib/useActions.js';
import { ErrorState } from '../ui/states.js';
import { useToast } from '../ui/toast.js';
import { remember, useEntries, type Entry, type Pick } from './paletteEntries.js';

interface PaletteProps {
  screens: readonly Screen[];
  onClose(): void;
  /** Shows the sheet of keys instead. */
  onKeys(): void;
}

const ASKS = { paused: 'Which buyer shall be paused?', active: 'Which buyer shall be resumed?' };

export default function Palette({ screens, onClose, onKeys }: PaletteProps): ReactNode {
  const [text, setText] = useState('');
  const [pick, setPick] = useState<Pick | null>(null);
  const [at, setAt] = useState(0);
  const { entries, isSearching, notes } = useEntries(text, screens, pick);
  const { change, error } = useBuyerStatus();
  const [, go] = useLocation();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const current = Math.min(at, entries.length - 1);
  useEffect(() => {
    dialog.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [current, entries.length]);

  const type = (typed: string): void => {
    setText(typed);
    setAt(0);
  };
  const choose = async (entry: Entry): Promise<void> => {
    if (pick !== null) {
      if (await change(entry, pick)) onClose();
      return;
    }
    if ('pick' in entry.go) {
      setPick(entry.go.pick);
      type('');
      return;
    }
    if ('keys' in entry.go) {
      onKeys();
      return;
    }
    if (entry.group === 'Found' || entry.group === 'Lately') remember(entry);
    onClose();
    go(entry.go.href);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = moved(event.key, current, entries.length);
    if (to !== null) {
      event.preventDefault();
      setAt(to);
    }
    const entry = entries[current];
    if (event.key === 'Enter' && entry && !event.nativeEvent.isComposing) {
      event.preventDefault();
      void choose(entry);
    }
    if (event.key === 'Backspace' && text === '' && pick !== null) setPick(null);
  };
  const label = pick === null ? 'Find a lead, a record or a screen, or do something' : ASKS[pick];
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label="Find or do"
      onCancel={(event) => {
        event.preventDefault();
        // One step back: from the buyer to the acts, then out.
        if (pick === null) onClose();
        else setPick(null);
      }}
      onClick={({ target }) => {
        if (target === dialog.current) onClose();
      }}
    >
      <div className="palette-box">
        <input
          type="text"
          role="combobox"
          aria-label={label}
          placeholder={`${label}…`}
          aria-expanded={entries.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={entries[current] ? `${id}-${current}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          dir="auto"
          value={text}
          onChange={({ target }) => type(target.value)}
          onKeyDown={onKeyDown}
        />
        {error && <ErrorState error={error} />}
        <div id={`${id}-list`} role="listbox" aria-label="Results" className="palette-list">
          {entries.map((entry, n) => (
            <Option
              key={`${entry.group} ${entry.id}`}
              id={`${id}-${n}`}
              entry={entry}
              head={entries[n - 1]?.group === entry.group ? null : entry.group}
              isSelected={n === current}
              onPoint={() => setAt(n)}
              onChoose={() => void choose(entry)}
            />
          ))}
        </div>
        <p className="palette-foot muted" role="status">
          {statusOf(entries.length, isSearching, pick !== null && text.trim() === '')}
          {notes.map((note) => (
            <span key={note}> {note}</span>
          ))}
        </p>
      </div>
    </dialog>
  );
}

interface OptionProps {
  id: string;
  entry: Entry;
  /** The name of its group, before the first of it. */
  head: string | null;
  isSelected: boolean;
  onPoint(): void;
  onChoose(): void;
}

function Option({ id, entry, head, isSelected, onPoint, onChoose }: OptionProps): ReactNode {
  const { icon: Icon, label, detail, keys } = entry;
  return (
    <>
      {head !== null && (
        <div className="palette-group" role="presentation">
          {head}
        </div>
      )}
      <div
        id={id}
        role="option"
        aria-selected={isSelected}
        className="palette-option"
        onPointerMove={onPoint}
        onClick={onChoose}
      >
        {Icon && <Icon size={16} aria-hidden />}
        <bdi>{label}</bdi>
        {detail !== undefined && <bdi className="muted">{detail}</bdi>}
        {keys !== undefined && <kbd>{keys}</kbd>}
      </div>
    </>
  );
}

function statusOf(count: number, isSearching: boolean, isAsking: boolean): string {
  if (isSearching) return 'Searching…';
  if (isAsking) return 'Type a part of the name.';
  if (count === 0) return 'Nothing was found.';
  return count === 1 ? '1 result' : `${count} results`;
}

/** Where an arrow leads; null for another key. */
function moved(key: string, at: number, count: number): number | null {
  if (count === 0) return null;
  if (key === 'ArrowDown') return (at + 1) % count;
  return key === 'ArrowUp' ? (at + count - 1) % count : null;
}

/** Pauses or resumes a buyer, which can be taken back. */
function useBuyerStatus() {
  const update = useWrite('update_buyer');
  const toast = useToast();
  const change = async ({ id, label }: Entry, status: Pick): Promise<boolean> => {
    const buyer_id = id.replace(/^buyer /, '');
    if (!(await update.run({ buyer_id, status }))) return false;
    const before = status === 'paused' ? 'active' : 'paused';
    toast(`${label} is ${status === 'paused' ? 'paused' : 'active again'}.`, {
      undo: () => update.run({ buyer_id, status: before }),
    });
    return true;
  };
  return { change, error: update.error };
}
