/** The panels in which filters are changed. */
import { useId, useState, type ReactNode } from 'react';
import { Button } from '../button.js';
import { DateRange, type Option } from '../fields.js';
import { DAY_PRESETS, useDaySpan, writeSpan } from './daySpan.js';
import { valuesOf, type FilterSpec, type RecordSource } from './filterSpec.js';

interface EditorProps {
  label: string;
  value: string;
  onChange(value: string): void;
  /** The choice is made: the panel closes. */
  onDone(): void;
}

type FilterEditorProps = Omit<EditorProps, 'label'> & { filter: FilterSpec };

export function FilterEditor({ filter, ...rest }: FilterEditorProps): ReactNode {
  const props = { ...rest, label: filter.label };
  switch (filter.kind) {
    case 'choice':
      return <Choice {...props} options={filter.options} />;
    case 'multi':
      return <Multi {...props} options={filter.options} />;
    case 'text':
      return <Text {...props} placeholder={filter.placeholder} />;
    case 'days':
      return <Days {...props} />;
    case 'record':
      return <Record {...props} source={filter} />;
    case 'switch':
      return null;
  }
}

type OptionsProps = EditorProps & { options: readonly Option[] };

function Choice(props: OptionsProps & { isBusy?: boolean }): ReactNode {
  const { label, value, options, isBusy, onChange, onDone } = props;
  return (
    <ul className="filter-names" aria-label={label} aria-busy={isBusy}>
      {options.map((option) => (
        <li key={option.value}>
          <button
            type="button"
            aria-pressed={option.value === value}
            onClick={() => {
              onChange(option.value);
              onDone();
            }}
          >
            <bdi>{option.label}</bdi>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Multi({ label, value, options, onChange }: OptionsProps): ReactNode {
  const chosen = new Set(valuesOf(value));
  const toggle = (one: string): void => {
    if (!chosen.delete(one)) chosen.add(one);
    onChange(
      options
        .map((option) => option.value)
        .filter((known) => chosen.has(known))
        .join(','),
    );
  };
  return (
    <fieldset className="choices">
      <legend className="hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className="choice">
          <input
            type="checkbox"
            checked={chosen.has(option.value)}
            onChange={() => toggle(option.value)}
          />
          <bdi>{option.label}</bdi>
        </label>
      ))}
    </fieldset>
  );
}

type TextProps = EditorProps & { placeholder?: string };

function Text({ label, value, placeholder, onChange, onDone }: TextProps): ReactNode {
  const [typed, setTyped] = useState(value);
  const id = useId();
  return (
    <form
      className="filter-form"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(typed.trim());
        onDone();
      }}
    >
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="search"
        dir="auto"
        autoComplete="off"
        maxLength={200}
        placeholder={placeholder}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button type="submit" kind="primary">
        Apply
      </Button>
    </form>
  );
}

function Days({ label, value, onChange, onDone }: EditorProps): ReactNode {
  const given = useDaySpan(value);
  const isCustom = value.includes('..');
  const [typed, setTyped] = useState(isCustom ? given : {});
  return (
    <div className="filter-days">
      <Choice
        label={label}
        value={value}
        options={DAY_PRESETS}
        onChange={onChange}
        onDone={onDone}
      />
      <form
        className="filter-form"
        onSubmit={(event) => {
          event.preventDefault();
          onChange(writeSpan(typed) ?? '');
          onDone();
        }}
      >
        <DateRange
          from={typed.from}
          to={typed.to}
          onChange={(changed) => setTyped({ ...typed, ...changed })}
        />
        <Button type="submit">Apply days</Button>
      </form>
    </div>
  );
}

type RecordProps = EditorProps & { source: RecordSource };

function Record({ label, value, source, onChange, onDone }: RecordProps): ReactNode {
  const [search, setSearch] = useState('');
  const { options, isLoading } = source.useOptions(search.trim());
  const id = useId();
  return (
    <div className="filter-form">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="search"
        dir="auto"
        autoComplete="off"
        placeholder="Search by name"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      <Choice
        label={label}
        value={value}
        options={options}
        isBusy={isLoading}
        onChange={onChange}
        onDone={onDone}
      />
      {options.length === 0 && (
        <p className="muted" role="status">
          {isLoading ? 'Loading…' : 'No match'}
        </p>
      )}
    </div>
  );
}
