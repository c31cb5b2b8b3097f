import { useState, type ReactNode } from 'react';
import { useFormats } from '../../lib/format.js';
import { formNumber, formText } from '../../lib/formValues.js';
import { useWrite, type InputOf } from '../../lib/useActions.js';
import { Form, MoneyField, TextArea, useToast } from '../../ui/index.js';
import { shown } from './person.js';
import { REPORTED, type Lead, type Sale } from './words.js';

type Report = Pick<
  InputOf<'record_outcome'>,
  'outcome' | 'conversion_revenue' | 'lead_value' | 'note' | 'clear'
>;

interface OutcomeProps {
  lead: Lead;
  sale: Sale;
}

/** The outcome of a sale as it is stored, to be changed or taken back; what the buyer is charged then is said before. */
export function OutcomeForm({ lead, sale }: OutcomeProps): ReactNode {
  const record = useWrite('record_outcome');
  const toast = useToast();
  const formats = useFormats();
  const stored = storedOf(sale);
  const [outcome, setOutcome] = useState(stored.outcome ?? '');
  const [revenue, setRevenue] = useState(textOf(stored.conversion_revenue));
  const hasRevenue = sale.conversion_price !== null || sale.conversion_revenue !== null;
  const charge = chargeAfter(sale, lead, outcome, revenue);
  const run = (report: Report) =>
    record.run({ lead_id: lead.id, buyer_id: sale.buyer_id, ...report });
  const submit = async (values: FormData): Promise<void> => {
    const wanted = readForm(values, stored);
    const report = changeBetween(stored, wanted);
    if (!report) {
      toast('Nothing was changed.');
      return;
    }
    const done = await run(report);
    if (!done) return;
    const back = changeBetween(wanted, stored);
    toast('The outcome was saved.', back ? { undo: () => run(back) } : {});
  };
  return (
    <Form onSubmit={submit} write={record} submit="Save outcome">
      <OutcomeChoice sale={sale} value={outcome} onChange={setOutcome} />
      {hasRevenue && (
        <MoneyField
          label="Conversion revenue"
          name="conversion_revenue"
          hint={revenueHint(sale, formats.money)}
          value={revenue}
          onChange={({ target }) => setRevenue(target.value)}
        />
      )}
      <MoneyField
        label="Deal value"
        name="lead_value"
        hint="What the lead is worth to the buyer; it changes no charge"
        defaultValue={textOf(stored.lead_value)}
      />
      <TextArea
        label="Note"
        name="note"
        maxLength={2000}
        rows={2}
        defaultValue={stored.note ?? ''}
      />
      <p className="lead-charge" role="status">
        {charge === sale.revenue
          ? `Charge: ${formats.money(sale.revenue)}, unchanged`
          : `Charge: ${formats.money(sale.revenue)} → ${formats.money(charge)}`}
      </p>
    </Form>
  );
}

interface ChoiceProps {
  sale: Sale;
  value: string;
  onChange(value: string): void;
}

function OutcomeChoice({ sale, value, onChange }: ChoiceProps): ReactNode {
  return (
    <fieldset className="lead-choice">
      <legend>Outcome</legend>
      {REPORTED.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name="outcome"
            value={option.value}
            checked={value === option.value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
      {sale.outcome === 'expired' && (
        <p className="hint">No outcome was reported in time; one may still be recorded.</p>
      )}
    </fieldset>
  );
}

const revenueHint = ({ conversion_price }: Sale, money: (amount: number) => string): string =>
  conversion_price === null
    ? 'What the buyer pays for the conversion; empty: the price'
    : `What the buyer pays for the conversion; empty: ${money(conversion_price)}`;

interface Stored {
  outcome?: Report['outcome'];
  conversion_revenue?: number;
  lead_value?: number;
  note?: string;
}

/** What was reported; the end of a window is no report. */
const storedOf = (sale: Sale): Stored => ({
  outcome: sale.outcome === null || sale.outcome === 'expired' ? undefined : sale.outcome,
  conversion_revenue: sale.conversion_revenue ?? undefined,
  lead_value: sale.lead_value ?? undefined,
  note: shown(sale.note) ?? undefined,
});

const textOf = (amount: number | undefined): string => (amount === undefined ? '' : String(amount));

function readForm(values: FormData, stored: Stored): Stored {
  return {
    outcome: (formText(values, 'outcome') || undefined) as Report['outcome'],
    // Without its field it stays as it is.
    conversion_revenue: values.has('conversion_revenue')
      ? formNumber(values, 'conversion_revenue')
      : stored.conversion_revenue,
    lead_value: formNumber(values, 'lead_value'),
    note: formText(values, 'note') || undefined,
  };
}

const KEYS = ['outcome', 'conversion_revenue', 'lead_value', 'note'] as const;

/** What has to be recorded so that one becomes the other; null: nothing. */
function changeBetween(from: Stored, to: Stored): Report | null {
  const changed = KEYS.filter((key) => from[key] !== to[key]);
  if (changed.length === 0) return null;
  const set = changed.filter((key) => to[key] !== undefined);
  const clear = changed.filter((key) => to[key] === undefined);
  return {
    ...Object.fromEntries(set.map((key) => [key, to[key]])),
    ...(clear.length > 0 ? { clear } : {}),
  };
}

/** What the buyer is charged with this outcome, by the rule of the service: a conversion counts as reported or agreed. */
function chargeAfter(sale: Sale, lead: Lead, outcome: string, revenue: string): number {
  if (lead.is_test || sale.returned_at !== null) return 0;
  if (outcome !== 'converted') return sale.price;
  const reported = Number(revenue);
  if (revenue.trim() !== '' && !Number.isNaN(reported)) return reported;
  return sale.conversion_price ?? sale.price;
}
