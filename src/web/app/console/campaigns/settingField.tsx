/** The control of a setting, by its row of the settings table, and what was typed into it. */
import type { ReactNode } from 'react';
import { notSent } from '../../lib/api.js';
import { formText } from '../../lib/formValues.js';
import type { Part, Term } from '../../lib/settings.js';
import { Checkbox, Field, MoneyField, Select } from '../../ui/index.js';
import { optionText } from './words.js';

interface SettingFieldProps {
  term: Term;
  /** As actions have it. */
  value: unknown;
}

/** A setting with parts is a group of fields. */
export function SettingField({ term, value }: SettingFieldProps): ReactNode {
  if (term.kind !== 'parts')
    return <PartField part={term} name={term.name} value={value} unit={term.unit} />;
  const values = new Map<string, unknown>(Object.entries((value as object | null) ?? {}));
  return (
    <fieldset>
      <legend>{term.label}</legend>
      {term.parts?.map((part) => (
        <PartField
          key={part.name}
          part={part}
          name={`${term.name}.${part.name}`}
          value={values.get(part.name)}
        />
      ))}
    </fieldset>
  );
}

interface PartFieldProps {
  part: Part;
  /** Of the control, and the path of its faults. */
  name: string;
  value: unknown;
  unit?: Term['unit'];
}

function PartField({ part, name, value, unit }: PartFieldProps): ReactNode {
  const { label, about: hint, kind, options = [], min, max, isWhole, maxLength, isOptional } = part;
  switch (kind) {
    case 'choice':
      return (
        <Select
          label={label}
          name={name}
          hint={hint}
          defaultValue={typeof value === 'string' ? value : ''}
          options={options.map((option) => ({ value: option, label: optionText(option) }))}
        />
      );
    case 'flag':
      return <Checkbox label={label} name={name} hint={hint} defaultChecked={value === true} />;
    case 'number': {
      const field = { label, name, hint, min, max, required: !isOptional };
      const defaultValue = typeof value === 'number' ? value : '';
      if (unit === 'money') return <MoneyField {...field} defaultValue={defaultValue} />;
      return (
        <Field
          {...field}
          label={unit === undefined || unit === 'leads' ? label : `${label} (${unit})`}
          type="number"
          step={isWhole ? 1 : 'any'}
          inputMode={isWhole ? 'numeric' : 'decimal'}
          defaultValue={defaultValue}
        />
      );
    }
    case 'list':
      return (
        <Field
          label={label}
          name={name}
          hint={`${hint}. Separate them by commas`}
          defaultValue={Array.isArray(value) ? value.join(', ') : ''}
        />
      );
    case 'text':
    case 'parts':
    case 'json':
      return (
        <Field
          label={label}
          name={name}
          hint={hint}
          maxLength={maxLength}
          defaultValue={typeof value === 'string' ? value : ''}
        />
      );
  }
}

/** What the form has for a setting, as the action takes it. @throws {ApiError} for a number that is none */
export function typedValue(values: FormData, term: Term): unknown {
  if (term.kind !== 'parts') return typedPart(values, term, term.name);
  const entries = (term.parts ?? []).map((part): [string, unknown] => [
    part.name,
    typedPart(values, part, `${term.name}.${part.name}`),
  ]);
  if (!term.isOptional) return Object.fromEntries(entries);
  const given = entries.filter(([, value]) => value !== null);
  return given.length === 0 ? null : Object.fromEntries(given);
}

function typedPart(values: FormData, part: Part, name: string): unknown {
  const text = formText(values, name);
  if (part.kind === 'flag') return values.has(name);
  if (part.kind === 'list') return text.split(/[\s,;]+/).filter((one) => one !== '');
  if (text === '') return null;
  if (part.kind !== 'number') return text;
  const value = Number(text);
  if (Number.isNaN(value)) throw notSent(name, `${part.label} must be a number.`);
  return value;
}
