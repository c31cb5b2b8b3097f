/** How long what is replaced stays valid next to the new one. */
import type { ReactNode } from 'react';
import { Field } from '../ui/index.js';

/** As the service has them; a page cannot import its schema. */
const USUAL_HOURS = 24;
/** A week. */
const HOURS_MAX = 168;

export function OverlapField({ label }: { label: string }): ReactNode {
  return (
    <Field
      label={label}
      name="overlap_hours"
      type="number"
      inputMode="numeric"
      required
      min={0}
      max={HOURS_MAX}
      step={1}
      defaultValue={USUAL_HOURS}
      hint="0 ends it at once; a week at most."
    />
  );
}

/** The hours that a form with this field has. */
export const overlapOf = (values: FormData): number => Number(values.get('overlap_hours'));
