import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { Filter } from '../../ui/index.js';
import type { Side } from './draft.js';
import type { Shows } from './rows.js';

type Names = 'q' | 'show';

interface LinkFiltersProps {
  side: Side;
  filters: Partial<Record<Names, string>>;
  onChange(changes: Partial<Record<Names, string>>): void;
  count: { shown: number; all: number };
  /** Beside the filters. */
  children: ReactNode;
}

const SHOWN: readonly { value: Shows | ''; label: string }[] = [
  { value: '', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'paused', label: 'Paused' },
  { value: 'full', label: 'Caps above 80 %' },
  { value: 'changed', label: 'Changed, not saved' },
];

/** Which links the grid shows; the address has it. */
export function LinkFilters(props: LinkFiltersProps): ReactNode {
  const { side, filters, onChange, count, children } = props;
  const noun = count.all === 1 ? side : `${side}s`;
  return (
    <div className="link-filters">
      <label className="link-search">
        <Search size={16} aria-hidden />
        <span className="hidden">Find a {side} by name</span>
        <input
          type="search"
          dir="auto"
          autoComplete="off"
          placeholder={`Find a ${side}`}
          value={filters.q ?? ''}
          onChange={({ target }) => onChange({ q: target.value })}
        />
      </label>
      <Filter label="Show" name="show" options={SHOWN} filters={filters} onChange={onChange} />
      {children}
      <p className="muted" role="status">
        {count.shown === count.all
          ? `${count.all} ${noun}`
          : `${count.shown} of ${count.all} ${noun}`}
      </p>
    </div>
  );
}
