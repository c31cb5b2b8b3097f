import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { formNumber } from '../../lib/formValues.js';
import { useCan } from '../../lib/session.js';
import { useWrite, type InputOf } from '../../lib/useActions.js';
import { Checkbox, Field, Form, Section, useToast } from '../../ui/index.js';
import type { BuyerTabProps } from './words.js';

type Flag = 'allowed' | 'reverse_cost' | 'resell';
type Limit = 'max_age_days' | 'max_share_pct' | 'max_per_month' | 'auto_accept_hours';
/** As the settings have it: each is absent where none were set. */
type Policy = Partial<Record<Flag, boolean> & Record<Limit, number | null>>;

const FLAGS: readonly [name: Flag, label: string, hint: string][] = [
  ['allowed', 'The buyer may return leads', 'Requests wait for your decision.'],
  ['reverse_cost', 'Take the cost back', 'The supplier gets nothing for a returned lead.'],
  ['resell', 'Sell again', 'A returned lead is offered to the next buyer of its campaign.'],
];

const LIMITS: readonly { name: Limit; label: string; hint: string; min: number; max: number }[] = [
  {
    name: 'max_age_days',
    label: 'Days after the sale',
    hint: '1 to 365. Empty: any age.',
    min: 1,
    max: 365,
  },
  {
    name: 'max_share_pct',
    label: 'Percent of the leads of a month',
    hint: '0 to 100. Empty: any share.',
    min: 0,
    max: 100,
  },
  {
    name: 'max_per_month',
    label: 'Returns a month',
    hint: 'Empty: any number.',
    min: 0,
    max: 1_000_000,
  },
  {
    name: 'auto_accept_hours',
    label: 'Hours until a return is accepted by itself',
    hint: '0 accepts at once, 720 at most. Empty: never.',
    min: 0,
    max: 720,
  },
];

/** Which leads the buyer may return. */
export default function ReturnsPolicy({ buyer }: BuyerTabProps): ReactNode {
  const set = useWrite('set_buyer_returns');
  const may = useCan('set_buyer_returns');
  const mayList = useCan('list_returns');
  const toast = useToast();
  const policy = (buyer.returns ?? {}) as Policy;
  const save = async (values: FormData): Promise<void> => {
    if (await set.run({ buyer_id: buyer.id, ...settingsOf(values) }))
      toast('The returns policy was saved. It applies to new requests.');
  };
  return (
    <Section
      title="Returns policy"
      actions={mayList && <Link href={`/returns?buyer_id=${buyer.id}`}>Its returns</Link>}
    >
      <Form submit={may ? 'Save' : undefined} write={set} onSubmit={save}>
        <fieldset disabled={!may}>
          <legend className="hidden">Returns policy</legend>
          {FLAGS.map(([name, label, hint]) => (
            <Checkbox
              key={name}
              label={label}
              name={name}
              hint={hint}
              defaultChecked={policy[name] ?? name === 'allowed'}
            />
          ))}
          {LIMITS.map(({ name, ...field }) => (
            <Field
              key={name}
              {...field}
              name={name}
              type="number"
              inputMode="decimal"
              step="any"
              defaultValue={policy[name] ?? ''}
            />
          ))}
        </fieldset>
      </Form>
    </Section>
  );
}

const settingsOf = (values: FormData): Omit<InputOf<'set_buyer_returns'>, 'buyer_id'> => ({
  ...Object.fromEntries(FLAGS.map(([name]) => [name, values.has(name)])),
  ...Object.fromEntries(LIMITS.map(({ name }) => [name, formNumber(values, name) ?? null])),
});
