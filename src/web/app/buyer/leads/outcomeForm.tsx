import type { ReactNode } from 'react';
import { useWrite, type InputOf, type SaleDetail } from '../calls.js';
import { Form, MoneyField, Select, TextArea, useToast } from '../../ui/index.js';
import { formNumber, formText } from '../../lib/formValues.js';
import { REPORTED_OPTIONS } from '../words.js';

type Outcome = NonNullable<InputOf<'record_outcome'>['outcome']>;

/** Reports the outcome of a lead. Its price then is shown once the service has returned it. */
export function OutcomeForm({ sale }: { sale: SaleDetail }): ReactNode {
  const record = useWrite('record_outcome');
  const toast = useToast();
  const submit = async (values: FormData): Promise<void> => {
    const done = await record.run({
      lead_id: sale.lead_id,
      outcome: (formText(values, 'outcome') || undefined) as Outcome | undefined,
      conversion_revenue: formNumber(values, 'conversion_revenue'),
      lead_value: formNumber(values, 'lead_value'),
      note: formText(values, 'note') || undefined,
    });
    if (done) toast('The outcome was saved.');
  };
  return (
    <Form onSubmit={submit} write={record} submit="Save outcome">
      <Select
        label="Outcome"
        name="outcome"
        options={[{ value: '', label: 'No change' }, ...REPORTED_OPTIONS]}
        defaultValue={sale.outcome === 'expired' ? '' : (sale.outcome ?? '')}
      />
      <MoneyField
        label="Conversion revenue"
        name="conversion_revenue"
        hint="What you pay for a converted lead, if agreed"
      />
      <MoneyField
        label="Deal value"
        name="lead_value"
        hint="What the lead is worth to you; does not change the price"
      />
      <TextArea label="Note" name="note" maxLength={2000} rows={2} />
    </Form>
  );
}
