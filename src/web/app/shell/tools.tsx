/** The way to everything by keyboard: the palette behind a button of the bar, and the keys of every screen. */
import { Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { Screen } from '../lib/route.js';
import { useSession } from '../lib/session.js';
import { listenForShortcuts, useShortcut } from '../lib/shortcuts.js';
import { NewMenu } from './newMenu.js';
import './tools.css';

const loadPalette = () => import('./palette.js');
const Palette = lazy(loadPalette);
const KeySheet = lazy(() => import('./keySheet.js'));

const isMac = (): boolean => /Mac|iP(?:hone|ad)/.test(navigator.userAgent);

export function Tools({ screens }: { screens: readonly Screen[] }): ReactNode {
  const { me } = useSession();
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null);
  const shown = screens.filter(({ isFor }) => isFor?.(me) ?? true);
  useEffect(listenForShortcuts, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      // It is there by the time of the second key, so that what is typed next goes into it.
      if (event.key === 'Control' || event.key === 'Meta') void loadPalette();
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      if (event.altKey || event.shiftKey || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      setOpen('palette');
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  useShortcut('/', 'Search this screen', () => {
    const field = document.querySelector<HTMLElement>('main [data-search], main [type=search]');
    if (field) field.focus();
    else setOpen('palette');
  });
  useShortcut('?', 'Show the keys', () => setOpen('keys'));
  const close = (): void => setOpen(null);
  return (
    <>
      <button
        type="button"
        className="button find"
        aria-keyshortcuts={isMac() ? 'Meta+K' : 'Control+K'}
        aria-haspopup="dialog"
        onClick={() => setOpen('palette')}
      >
        <Search size={16} aria-hidden />
        <span>Find or do…</span>
        <kbd aria-hidden="true">{isMac() ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <NewMenu />
      {shown.map((screen) => (
        <ScreenKey key={screen.path} screen={screen} />
      ))}
      <Suspense>
        {open === 'palette' && (
          <Palette screens={shown} onClose={close} onKeys={() => setOpen('keys')} />
        )}
        {open === 'keys' && <KeySheet onClose={close} />}
      </Suspense>
    </>
  );
}

function ScreenKey({ screen }: { screen: Screen }): ReactNode {
  const { shortcut, label, path } = screen;
  return shortcut === undefined || label === undefined ? null : (
    <OpenKey keys={`g ${shortcut}`} label={label} path={path} />
  );
}

function OpenKey({ keys, label, path }: { keys: string; label: string; path: string }): ReactNode {
  const [, go] = useLocation();
  useShortcut(keys, label, () => go(path));
  return null;
}
