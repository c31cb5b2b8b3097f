import { useState, type ReactNode } from 'react';
import { useFormats } from '../../lib/format.js';
import { Button } from '../button.js';
import { DropDown } from './dropDown.js';
import { FilterEditor } from './filterEditors.js';
import './filters.css';
import { wordsOf, type FilterSpec, type FilterValues } from './filterSpec.js';

interface FilterBarProps<K extends string> {
  /** Defined outside of the component. */
  filters: readonly FilterSpec<K>[];
  values: FilterValues<K>;
  /** An empty value removes a filter. */
  onChange(changes: FilterValues<K>): void;
  /** Beside the filters, such as saved views. */
  children?: ReactNode;
}

/** Filters as chips: each says what it asks for, opens to change it, and goes by its cross. Applied at once. */
export function FilterBar<K extends string>(props: FilterBarProps<K>): ReactNode {
  const { filters, values, onChange, children } = props;
  const [added, setAdded] = useState<K | null>(null);
  const given = filters.filter(({ name }) => values[name]);
  const shown = filters.filter(
    ({ name, isPinned }) => isPinned || values[name] !== undefined || name === added,
  );
  const others = filters.filter((filter) => !shown.includes(filter));
  const set = (name: K, value: string): void => onChange({ [name]: value } as FilterValues<K>);
  return (
    <search className="filter-bar" aria-label="Filters">
      {shown.map((filter) => (
        <FilterChip
          key={filter.name}
          filter={filter}
          value={values[filter.name] ?? ''}
          isNew={filter.name === added && !values[filter.name]}
          onChange={(value) => set(filter.name, value)}
          onClose={() => setAdded(null)}
        />
      ))}
      {others.length > 0 && <AddFilter<K> filters={others} onAdd={setAdded} onSet={set} />}
      {given.length > 1 && (
        <Button
          kind="quiet"
          onClick={() =>
            onChange(Object.fromEntries(given.map(({ name }) => [name, ''])) as FilterValues<K>)
          }
        >
          Clear filters
        </Button>
      )}
      {children}
    </search>
  );
}

interface AddFilterProps<K extends string> {
  filters: readonly FilterSpec<K>[];
  onAdd(name: K): void;
  onSet(name: K, value: string): void;
}

function AddFilter<K extends string>({ filters, onAdd, onSet }: AddFilterProps<K>): ReactNode {
  return (
    <DropDown label="+ Filter" name="Add filter" className="filter-add">
      {(close) => (
        <ul className="filter-names">
          {filters.map(({ name, label, kind }) => (
            <li key={name}>
              <button
                type="button"
                onClick={() => {
                  close();
                  if (kind === 'switch') onSet(name, 'true');
                  else onAdd(name);
                }}
              >
                {label}
              </button>
            </li>
          ))}
        </ul>
      )}
    </DropDown>
  );
}

interface FilterChipProps {
  filter: FilterSpec;
  value: string;
  /** Just added: it opens at once. */
  isNew: boolean;
  onChange(value: string): void;
  onClose(): void;
}

function FilterChip({ filter, value, isNew, onChange, onClose }: FilterChipProps): ReactNode {
  const { label, kind } = filter;
  const isGiven = value !== '';
  return (
    <span className={isGiven ? 'filter-chip given' : 'filter-chip'}>
      {kind === 'switch' ? (
        <span className="filter-value">{label}</span>
      ) : (
        <DropDown
          label={<ChipWords filter={filter} value={value} />}
          panelName={label}
          className="filter-value"
          isOpenAtFirst={isNew}
          onClose={onClose}
        >
          {(close) => (
            <FilterEditor filter={filter} value={value} onChange={onChange} onDone={close} />
          )}
        </DropDown>
      )}
      {isGiven && (
        <button
          type="button"
          className="filter-remove"
          aria-label={`Remove filter ${label}`}
          onClick={() => onChange('')}
        >
          <span aria-hidden="true">✕</span>
        </button>
      )}
    </span>
  );
}

interface ChipWordsProps {
  filter: FilterSpec;
  value: string;
}

function ChipWords({ filter, value }: ChipWordsProps): ReactNode {
  const { date } = useFormats();
  if (value === '') return <>{filter.label}: any</>;
  return (
    <>
      {filter.label}:{' '}
      <bdi>
        {filter.kind === 'record' ? (
          <RecordName filter={filter} value={value} />
        ) : (
          wordsOf(filter, value, date)
        )}
      </bdi>
    </>
  );
}

interface RecordNameProps {
  filter: FilterSpec & { kind: 'record' };
  value: string;
}

/** The id stands for a record that is deleted, or not read yet. */
function RecordName({ filter, value }: RecordNameProps): ReactNode {
  const label = filter.useLabel(value);
  if (label !== null) return label ?? <code>{value}</code>;
  return (
    <span title={value}>
      deleted (<code>{value.slice(0, 8)}</code>)
    </span>
  );
}
