import type { ReactNode } from 'react';
import { useSession } from '../../lib/session.js';
import { useWrite } from '../calls.js';
import { Field, Form, Select, TextArea, useToast } from '../../ui/index.js';
import { numberOf, textOf } from '../formValues.js';
import type { InputOf, SaleDetail } from '../types.js';
import { REPORTED_OPTIONS } from '../words.js';

type Said = NonNullable<InputOf<'record_outcome'>['outcome']>;

/** Reports the outcome of a lead. Its price then is shown once the service has returned it. */
export function OutcomeForm({ sale }: { sale: SaleDetail }): ReactNode {
  const { currency } = useSession().me.organization;
  const record = useWrite('record_outcome');
  const toast = useToast();
  const submit = async (values: FormData): Promise<void> => {
    const outcome = textOf(values, 'outcome') as Said | '';
    const revenue = numberOf(values, 'conversion_revenue');
    const value = numberOf(values, 'lead_value');
    const note = textOf(values, 'note');
    const done = await record.run({
      lead_id: sale.lead_id,
      ...(outcome === '' ? {} : { outcome }),
      ...(revenue === undefined ? {} : { conversion_revenue: revenue }),
      ...(value === undefined ? {} : { lead_value: value }),
      ...(note === '' ? {} : { note }),
    });
    if (done) toast('The outcome is recorded.');
  };
  return (
    <Form
      onSubmit={(values) => void submit(values)}
      error={record.error}
      isBusy={record.isRunning}
      submit="Record the outcome"
    >
      <Select
        label="Result of the lead"
        name="outcome"
        options={[{ value: '', label: 'As it is' }, ...REPORTED_OPTIONS]}
        defaultValue={sale.outcome === 'expired' ? '' : (sale.outcome ?? '')}
      />
      <Field
        label={`Conversion revenue in ${currency}`}
        name="conversion_revenue"
        hint="What you pay for a converted lead, where you agreed on that"
        type="number"
        inputMode="decimal"
        min={0}
        step="any"
      />
      <Field
        label={`Deal value in ${currency}`}
        name="lead_value"
        hint="What the lead is worth to you; it changes no price"
        type="number"
        inputMode="decimal"
        min={0}
        step="any"
      />
      <TextArea label="Note" name="note" maxLength={2000} rows={2} />
    </Form>
  );
}
