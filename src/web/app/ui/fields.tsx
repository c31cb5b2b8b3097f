/** The controls of forms. Without `value` they keep what is typed themselves, and the form reads it when it is sent. */
import { useId, type ComponentProps, type ReactNode } from 'react';
import { useSession } from '../lib/session.js';
import { Labelled, useFault, type LabelProps } from './form.js';

type Own = 'name' | 'id' | 'className' | 'style' | 'children';
type FieldProps = LabelProps & Omit<ComponentProps<'input'>, Own>;

/** One line of text, or the input that `type` names. */
export function Field({ label, name, hint, ...input }: FieldProps): ReactNode {
  return (
    <Labelled label={label} name={name} hint={hint} isOptional={!input.required}>
      {(described) => <input dir="auto" autoComplete="off" {...input} {...described} name={name} />}
    </Labelled>
  );
}

/** An amount in the account's currency, which the label names. */
export function MoneyField({ label, ...field }: FieldProps): ReactNode {
  const { currency } = useSession().me.organization;
  return (
    <Field
      label={`${label} in ${currency}`}
      type="number"
      inputMode="decimal"
      min={0}
      step="any"
      {...field}
    />
  );
}

type TextAreaProps = LabelProps & Omit<ComponentProps<'textarea'>, Own>;

/** Several lines of text. */
export function TextArea({ label, name, hint, ...input }: TextAreaProps): ReactNode {
  return (
    <Labelled label={label} name={name} hint={hint} isOptional={!input.required}>
      {(described) => <textarea dir="auto" rows={4} {...input} {...described} name={name} />}
    </Labelled>
  );
}

export interface Option {
  value: string;
  label: string;
}

type SelectProps = LabelProps & { options: readonly Option[] } & Omit<
    ComponentProps<'select'>,
    Own
  >;

/** One of a few. */
export function Select({ label, name, hint, options, ...select }: SelectProps): ReactNode {
  return (
    <Labelled label={label} name={name} hint={hint}>
      {(described) => (
        <select {...select} {...described} name={name}>
          {options.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

interface FilterProps<K extends string> {
  label: string;
  /** The filter that it chooses. */
  name: K;
  options: readonly Option[];
  filters: Partial<Record<K, string>>;
  onChange(changes: Partial<Record<K, string>>): void;
}

/** One of a few, which narrows a list at once. */
export function Filter<K extends string>(props: FilterProps<K>): ReactNode {
  const { name, filters, onChange, ...select } = props;
  return (
    <Select
      {...select}
      name={name}
      value={filters[name] ?? ''}
      onChange={({ target }) => onChange({ [name]: target.value } as Partial<Record<K, string>>)}
    />
  );
}

type CheckboxProps = LabelProps & Omit<ComponentProps<'input'>, Own | 'type'>;

/** Yes or no. */
export function Checkbox({ label, name, hint, ...input }: CheckboxProps): ReactNode {
  const id = useId();
  const fault = useFault(name);
  return (
    <div className="field checkbox">
      <input
        {...input}
        type="checkbox"
        id={id}
        name={name}
        aria-invalid={fault === null ? undefined : true}
        aria-describedby={hint === undefined && fault === null ? undefined : `${id}-hint`}
      />
      <label htmlFor={id}>{label}</label>
      {(hint !== undefined || fault !== null) && (
        <p id={`${id}-hint`} className={fault === null ? 'hint' : 'fault'}>
          {fault ?? hint}
        </p>
      )}
    </div>
  );
}

interface DateRangeProps {
  /** Days as `YYYY-MM-DD`; undefined: open. */
  from: string | undefined;
  to: string | undefined;
  onChange(range: { from?: string; to?: string }): void;
  /** The focus has left a day. @param isPart it is typed in part */
  onLeave?(isPart: boolean): void;
}

/** From one day to another, both included. */
export function DateRange({ from, to, onChange, onLeave }: DateRangeProps): ReactNode {
  const day = (name: 'from' | 'to', label: string, limit: { min?: string; max?: string }) => (
    <Labelled label={label} name={name}>
      {(described) => (
        <input
          {...described}
          {...limit}
          type="date"
          value={(name === 'from' ? from : to) ?? ''}
          onChange={({ target }) => onChange({ [name]: target.value })}
        />
      )}
    </Labelled>
  );
  return (
    <div
      className="date-range"
      onBlur={({ target }) =>
        onLeave?.(target instanceof HTMLInputElement && target.validity.badInput)
      }
    >
      {day('from', 'From', { max: to })}
      {day('to', 'To', { min: from })}
    </div>
  );
}
