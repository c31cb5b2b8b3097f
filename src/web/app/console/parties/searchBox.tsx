import { Search } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';

interface SearchBoxProps {
  label: string;
  value: string;
  /** Once typing pauses. */
  onChange(text: string): void;
}

const PAUSE_MS = 250;

/** A search over names, applied while one types. */
export function SearchBox({ label, value, onChange }: SearchBoxProps): ReactNode {
  const [text, setText] = useState(value);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onChange(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <search className="search-box">
      <Search size={16} aria-hidden />
      <input
        type="search"
        dir="auto"
        data-search
        aria-label={label}
        placeholder={label}
        maxLength={120}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </search>
  );
}
