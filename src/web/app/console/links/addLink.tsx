import { Plus } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { notSent } from '../../lib/api.js';
import { useCan } from '../../lib/session.js';
import { labelOfSetting } from '../../lib/settings.js';
import { useWrite } from '../../lib/useActions.js';
import { FormButton, Field, MoneyField, Skeleton, useToast } from '../../ui/index.js';
import type { Side } from './draft.js';

/** Loaded when the form is opened. */
const PartyChoice = lazy(() => import('./partyChoice.js'));

/** Links a buyer or a supplier to the campaign; its other terms are edited in the grid. */
export default function AddLink({
  campaignId,
  side,
}: {
  campaignId: string;
  side: Side;
}): ReactNode {
  const may = useCan(`add_${side}_to_campaign`);
  const toast = useToast();
  const buyers = useWrite('add_buyer_to_campaign');
  const suppliers = useWrite('add_supplier_to_campaign');
  const [id, setId] = useState<string | null>(null);
  if (!may) return null;
  const add = (values: FormData): Promise<object | null> => {
    if (id === null) throw notSent(`${side}_id`, `Choose a ${side}.`);
    const number = (name: string): number | undefined => {
      const text = values.get(name);
      return typeof text === 'string' && text !== '' ? Number(text) : undefined;
    };
    const shared = { campaign_id: campaignId, daily_cap: number('daily_cap') };
    return side === 'buyer'
      ? buyers.run({ ...shared, buyer_id: id, price: number('price') })
      : suppliers.run({ ...shared, supplier_id: id, cost_per_lead: number('cost_per_lead') });
  };
  return (
    <FormButton
      button={
        <>
          <Plus size={16} aria-hidden /> Add {side}
        </>
      }
      title={`Add a ${side} to the campaign`}
      submit={`Add ${side}`}
      write={side === 'buyer' ? buyers : suppliers}
      run={add}
      onDone={() => {
        setId(null);
        toast(`The ${side} is added. Set its other terms in the grid.`);
      }}
    >
      <Suspense fallback={<Skeleton lines={1} />}>
        <PartyChoice campaignId={campaignId} side={side} value={id} onChange={setId} />
      </Suspense>
      {side === 'buyer' ? (
        <MoneyField label={labelOfSetting('buyerLink', 'price')} name="price" required />
      ) : (
        <MoneyField
          label={labelOfSetting('supplierLink', 'cost_per_lead')}
          name="cost_per_lead"
          required
        />
      )}
      <Field
        label={labelOfSetting(`${side}Link`, 'daily_cap')}
        name="daily_cap"
        type="number"
        min={0}
        step={1}
      />
    </FormButton>
  );
}
