/** How long the old secret stays valid next to the new one. */
import type { ReactNode } from 'react';
import { Field } from '../ui/index.js';

const USUAL_HOURS = 24;
/** A week, the service's limit. */
const HOURS_MAX = 168;

export function OverlapField({ of }: { of: 'key' | 'secret' }): ReactNode {
  return (
    <Field
      label={`Hours that the old ${of} stays valid`}
      name="overlap_hours"
      type="number"
      inputMode="numeric"
      required
      min={0}
      max={HOURS_MAX}
      defaultValue={USUAL_HOURS}
      hint="0 ends it at once; a week at most."
    />
  );
}

export const overlapOf = (values: FormData): number => Number(values.get('overlap_hours'));
