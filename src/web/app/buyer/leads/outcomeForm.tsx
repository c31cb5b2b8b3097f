import type { ReactNode } from 'react';
import { useWrite, type InputOf, type SaleDetail } from '../calls.js';
import { Form, MoneyField, Select, TextArea, useToast } from '../../ui/index.js';
import { formNumber, formText } from '../../lib/formValues.js';
import { REPORTED_OPTIONS } from '../words.js';

type Outcome = NonNullable<InputOf<'record_outcome'>['outcome']>;

type Clearable = NonNullable<InputOf<'record_outcome'>['clear']>[number];

/** What is typed in the place of a stored value; an emptied field takes its value back. */
function readOutcome(
  values: FormData,
  sale: SaleDetail,
): Omit<InputOf<'record_outcome'>, 'lead_id'> {
  const outcome = (formText(values, 'outcome') || undefined) as Outcome | undefined;
  const conversion_revenue = formNumber(values, 'conversion_revenue');
  const lead_value = formNumber(values, 'lead_value');
  const note = formText(values, 'note') || undefined;
  const typed = { conversion_revenue, lead_value, note };
  const clear: Clearable[] = (['conversion_revenue', 'lead_value', 'note'] as const).filter(
    (name) => sale[name] !== null && typed[name] === undefined,
  );
  return { outcome, ...typed, clear: clear.length > 0 ? clear : undefined };
}

/** Reports the outcome of a lead. Its price then is shown once the service has returned it. */
export function OutcomeForm({ sale }: { sale: SaleDetail }): ReactNode {
  const record = useWrite('record_outcome');
  const toast = useToast();
  const submit = async (values: FormData): Promise<void> => {
    const done = await record.run({ lead_id: sale.lead_id, ...readOutcome(values, sale) });
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
        defaultValue={sale.conversion_revenue ?? undefined}
        hint="What you pay for a converted lead, if agreed"
      />
      <MoneyField
        label="Deal value"
        name="lead_value"
        defaultValue={sale.lead_value ?? undefined}
        hint="What the lead is worth to you; does not change the price"
      />
      <TextArea
        label="Note"
        name="note"
        maxLength={2000}
        rows={2}
        defaultValue={sale.note ?? undefined}
      />
    </Form>
  );
}
