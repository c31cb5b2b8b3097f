import { Check, Copy as CopyIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { IconButton } from './button.js';

/** Puts the text on the clipboard. `of` names it, for the label of the button. */
export function Copy({ text, of = '' }: { text: string; of?: string }): ReactNode {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready');
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  return (
    <span className="copy">
      <IconButton
        icon={state === 'copied' ? Check : CopyIcon}
        label={`Copy ${of}`.trim()}
        onClick={copy}
      />
      <span role="status" className="muted">
        {state === 'copied' && 'Copied'}
        {state === 'failed' && 'Select the text and copy it manually'}
      </span>
    </span>
  );
}

/** An id or address in a line, with a button that copies it. */
export function Copied({ text, of }: { text: string; of: string }): ReactNode {
  return (
    <>
      <code>{text}</code> <Copy text={text} of={of} />
    </>
  );
}

interface CodeProps {
  label: string;
  /** Data is shown as JSON. */
  text: unknown;
}

/** Code or data with a button that copies it. */
export function Code({ text: given, label }: CodeProps): ReactNode {
  const text = typeof given === 'string' ? given : JSON.stringify(given, null, 2);
  return (
    <figure className="code">
      <figcaption>
        <span>{label}</span>
        <Copy text={text} of={label} />
      </figcaption>
      <pre tabIndex={0} role="region" aria-label={label} dir="ltr">
        <code>{text}</code>
      </pre>
    </figure>
  );
}
