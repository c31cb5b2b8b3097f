/** A control for each field of a campaign. */
import './supplier.css';
import { useState, type ReactNode } from 'react';
import { Checkbox, Field } from '../ui/index.js';
import { FIELD, OMIT, typedFields, type GuideField } from './consoleInput.js';

export function ConsoleFields({ fields }: { fields: readonly GuideField[] }): ReactNode {
  return typedFields(fields).map((field) => <ConsoleField key={field.name} field={field} />);
}

function ConsoleField({ field }: { field: GuideField }): ReactNode {
  const { name, label, type, required, rules, example } = field;
  const [isOmitted, setIsOmitted] = useState(false);
  const hint = [`${name}, ${type}`, ...(required ? ['required in live leads'] : []), ...rules].join(
    '; ',
  );
  return (
    <div className="row">
      <Field
        label={label}
        name={`${FIELD}${name}`}
        hint={hint}
        placeholder={example === null ? undefined : String(example)}
        disabled={isOmitted}
      />
      <Checkbox
        label={`Omit ${label}`}
        name={`${OMIT}${name}`}
        checked={isOmitted}
        onChange={(event) => setIsOmitted(event.target.checked)}
      />
    </div>
  );
}
