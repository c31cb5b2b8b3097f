/** One of many, found by typing. */
import { Combobox as Base } from '@base-ui/react/combobox';
import { Check, ChevronsUpDown } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Labelled, type LabelProps } from './form.js';

export interface ComboboxOption {
  value: string;
  label: string;
  /** At the end of its line. */
  detail?: string;
}

interface ComboboxProps extends LabelProps {
  options: readonly ComboboxOption[];
  /** Null: none is chosen. */
  value: string | null;
  onChange(value: string | null): void;
  /** Where the options come from the service: what was typed. They are not filtered again. */
  onSearch?(text: string): void;
  placeholder?: string;
}

/** With `name`, a form that has it sends the value. */
export function Combobox(props: ComboboxProps): ReactNode {
  const { label, name, hint, options, value, onChange, onSearch, placeholder } = props;
  const [text, setText] = useState('');
  const chosen = options.find((option) => option.value === value) ?? null;
  const search = (typed: string): void => {
    setText(typed);
    onSearch?.(typed);
  };
  return (
    <Labelled label={label} name={name} hint={hint}>
      {(described) => (
        <Base.Root
          items={options}
          filter={onSearch ? null : undefined}
          value={chosen}
          onValueChange={(option: ComboboxOption | null) => onChange(option?.value ?? null)}
          onInputValueChange={search}
          itemToStringLabel={(option: ComboboxOption) => option.label}
          isItemEqualToValue={(a: ComboboxOption, b: ComboboxOption) => a.value === b.value}
        >
          <Base.InputGroup className="combobox">
            <Base.Input {...described} placeholder={placeholder} dir="auto" />
            <Base.Trigger className="button icon quiet" aria-label={`Show options of ${label}`}>
              <ChevronsUpDown size={16} aria-hidden />
            </Base.Trigger>
          </Base.InputGroup>
          <input type="hidden" name={name} value={value ?? ''} />
          <Base.Portal>
            <Base.Positioner sideOffset={4} className="popup-place">
              <Base.Popup className="popup">
                <Base.Empty>
                  <p className="popup-group">
                    {text === '' ? 'Type to search' : `Nothing matches “${text}”`}
                  </p>
                </Base.Empty>
                <Base.List>
                  {(option: ComboboxOption) => (
                    <Base.Item key={option.value} value={option} className="popup-item">
                      <bdi>{option.label}</bdi>
                      {option.detail !== undefined && (
                        <span className="popup-detail">{option.detail}</span>
                      )}
                      <Base.ItemIndicator>
                        <Check size={16} aria-hidden />
                      </Base.ItemIndicator>
                    </Base.Item>
                  )}
                </Base.List>
              </Base.Popup>
            </Base.Positioner>
          </Base.Portal>
        </Base.Root>
      )}
    </Labelled>
  );
}
