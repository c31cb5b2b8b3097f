import { useState, type ReactNode } from 'react';
import { activeShortcuts, shortcutsAreOn, turnShortcuts, type Shortcut } from '../lib/shortcuts.js';
import { Dialog } from '../ui/dialog.js';

const LISTS: readonly Pick<Shortcut, 'keys' | 'label'>[] = [
  { keys: 'j', label: 'Next row' },
  { keys: 'k', label: 'Previous row' },
  { keys: 'Enter', label: 'Open the row' },
  { keys: 'x', label: 'Select the row' },
  { keys: 'Shift x', label: 'Select a range of rows' },
  { keys: 'Esc', label: 'Close what is open' },
];

/** The keys that work on this page. */
export default function KeySheet({ onClose }: { onClose(): void }): ReactNode {
  const [isOn, setIsOn] = useState(shortcutsAreOn);
  // Read once: the dialog itself changes nothing of them.
  const [found] = useState(activeShortcuts);
  const screens = found.filter(({ keys }) => keys.startsWith('g '));
  const others = found.filter(({ keys }) => !keys.startsWith('g '));
  return (
    <Dialog title="Keys" isOpen onClose={onClose}>
      <div className="keys">
        <Keys
          title="Everywhere"
          of={[{ keys: 'Ctrl k', label: 'Find or do… (⌘K on a Mac)' }, ...others]}
        />
        <Keys title="Lists" of={LISTS} />
        <Keys title="Screens" of={screens} />
      </div>
      <label className="keys-switch">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => {
            turnShortcuts(target.checked);
            setIsOn(target.checked);
          }}
        />
        Single keys are on in this browser
      </label>
    </Dialog>
  );
}

function Keys({
  title,
  of,
}: {
  title: string;
  of: readonly Pick<Shortcut, 'keys' | 'label'>[];
}): ReactNode {
  if (of.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {of.map(({ keys, label }) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key.length === 1 ? key.toUpperCase() : key}</kbd>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
