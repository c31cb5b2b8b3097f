import { useState, type ReactNode } from 'react';
import { formText } from '../../lib/formValues.js';
import { useCall, type InputOf } from '../calls.js';
import { Button, Checkbox, DateRange, Form, Select } from '../../ui/index.js';
import { Labelled } from '../../ui/form.js';
import { OUTCOME_OPTIONS, SALE_OPTIONS } from '../words.js';

/** The filters of the list of leads, as the address names them. */
export const FILTERS = [
  'search',
  'from',
  'to',
  'campaign_id',
  'status',
  'outcome',
  'is_test',
] as const;
export type FilterValues = Partial<Record<(typeof FILTERS)[number], string>>;

/** The filters as the service takes them; it refuses a wrong value of an edited address. */
export const filterOf = ({ is_test, ...filters }: FilterValues): InputOf<'list_sales'> => ({
  ...(filters as InputOf<'list_sales'>),
  is_test: is_test === 'true' ? true : undefined,
});

interface LeadsFilterProps {
  filters: FilterValues;
  onChange(filters: FilterValues): void;
}

/** Applied when the person submits it: a half-typed date sends no request. */
export function LeadsFilter({ filters, onChange }: LeadsFilterProps): ReactNode {
  const at = JSON.stringify(filters);
  return <FilterForm key={at} filters={filters} onChange={onChange} />;
}

function FilterForm({ filters, onChange }: LeadsFilterProps): ReactNode {
  const [range, setRange] = useState({ from: filters.from, to: filters.to });
  const usage = useCall('get_usage', {});
  const campaigns = usage.data?.campaigns ?? [];
  const apply = (values: FormData): void => {
    const typed = (name: string): string => formText(values, name);
    onChange({
      search: typed('search'),
      from: range.from ?? '',
      to: range.to ?? '',
      campaign_id: typed('campaign_id'),
      status: typed('status'),
      outcome: typed('outcome'),
      is_test: values.has('is_test') ? 'true' : '',
    });
  };
  const clear = (): void => onChange(Object.fromEntries(FILTERS.map((name) => [name, ''])));
  return (
    <search>
      <Form
        onSubmit={apply}
        submit="Apply"
        actions={Object.keys(filters).length > 0 && <Button onClick={clear}>Clear</Button>}
      >
        <Labelled label="Search" name="search" hint="Phone, email, name or lead ID">
          {(described) => (
            <input
              {...described}
              name="search"
              type="search"
              dir="auto"
              autoComplete="off"
              maxLength={200}
              defaultValue={filters.search}
            />
          )}
        </Labelled>
        <DateRange {...range} onChange={(changed) => setRange({ ...range, ...changed })} />
        <Select
          label="Status"
          name="status"
          options={SALE_OPTIONS}
          defaultValue={filters.status ?? ''}
        />
        <Select
          label="Outcome"
          name="outcome"
          options={OUTCOME_OPTIONS}
          defaultValue={filters.outcome ?? ''}
        />
        {campaigns.length > 1 && (
          <Select
            label="Campaign"
            name="campaign_id"
            options={[
              { value: '', label: 'Any' },
              ...campaigns.map(({ campaign }) => ({ value: campaign.id, label: campaign.name })),
            ]}
            defaultValue={filters.campaign_id ?? ''}
          />
        )}
        <Checkbox
          label="Show test leads"
          name="is_test"
          defaultChecked={filters.is_test === 'true'}
        />
      </Form>
    </search>
  );
}
