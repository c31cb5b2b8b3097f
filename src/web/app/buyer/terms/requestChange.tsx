import { useState, type ReactNode } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { ApiError } from '../../lib/api.js';
import { useSession } from '../../lib/session.js';
import { useCall, useWrite } from '../calls.js';
import {
  Confirm,
  EmptyState,
  Field,
  Form,
  Loaded,
  Page,
  TextArea,
  useToast,
} from '../../ui/index.js';
import type { Change, Terms } from '../types.js';
import { CAP_FIELDS, differences, wantedOf, type Wanted } from './wanted.js';
import { ChangeTable } from './changeTable.js';

/** Requests other terms from the seller: shows the differences before it sends them. */
export default function RequestChange(): ReactNode {
  const { campaign } = useParams<{ campaign: string }>();
  const terms = useCall('get_terms', {});
  return (
    <Page
      title="Request a change"
      intro={<p>Nothing changes until the seller has approved it.</p>}
      actions={<Link href="/terms">Terms</Link>}
    >
      <Loaded of={terms}>
        {(all) => {
          const one = all.find((candidate) => candidate.campaign.id === campaign);
          return one ? (
            <ChangeForm key={campaign} terms={one} />
          ) : (
            <EmptyState title="You are not in this campaign">
              Choose one of yours under <Link href="/terms">Terms</Link>.
            </EmptyState>
          );
        }}
      </Loaded>
    </Page>
  );
}

interface Asked {
  input: Wanted;
  changes: Change['changes'];
}

function ChangeForm({ terms }: { terms: Terms }): ReactNode {
  const { currency } = useSession().me.organization;
  const request = useWrite('request_change');
  const [, goTo] = useLocation();
  const toast = useToast();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [unfit, setUnfit] = useState<ApiError | null>(null);
  // The change refers to the terms that are shown, even when they are read again meanwhile.
  const [seen] = useState(terms);
  const read = (values: FormData): void => {
    const input = wantedOf(values, seen);
    setUnfit(input instanceof ApiError ? input : null);
    if (!(input instanceof ApiError)) setAsked({ input, changes: differences(input, seen) });
  };
  const confirm = async (): Promise<void> => {
    if (!asked) return;
    const done = await request.run(asked.input);
    setAsked(null);
    if (!done) return;
    toast('The change is requested.');
    goTo('/terms');
  };
  return (
    <>
      <h2>
        <bdi>{seen.campaign.name}</bdi>
      </h2>
      <Form
        onSubmit={read}
        error={unfit ?? request.error}
        isBusy={request.isRunning}
        submit="Compare and send"
      >
        <Field
          label={`Price of a lead in ${currency}`}
          name="price"
          type="number"
          inputMode="decimal"
          required
          min={0}
          step="any"
          defaultValue={seen.price}
        />
        {CAP_FIELDS.map(({ name, label, isMoney, of }) => (
          <Field
            key={name}
            label={isMoney ? `${label} in ${currency}` : label}
            name={`caps.${name}`}
            type="number"
            inputMode={isMoney ? 'decimal' : 'numeric'}
            min={0}
            step={isMoney ? 'any' : 1}
            defaultValue={of(seen.caps) ?? ''}
          />
        ))}
        <Field
          label="States"
          name="states"
          hint="Two letters each, with commas: CA, TX. Empty: every state"
          defaultValue={seen.states.join(', ')}
        />
        {!seen.filters_hidden && <FiltersField terms={seen} />}
        <TextArea
          label="Reason"
          name="reason"
          hint="The seller reads it when it decides"
          maxLength={2000}
          rows={3}
        />
      </Form>
      <Confirm
        title="Ask for this change?"
        act="Send the request"
        isOpen={asked !== null}
        isBusy={request.isRunning}
        onConfirm={() => void confirm()}
        onClose={() => setAsked(null)}
      >
        {asked && <ChangeTable changes={asked.changes} />}
      </Confirm>
    </>
  );
}

function FiltersField({ terms }: { terms: Terms }): ReactNode {
  const names = terms.fields.map(({ name }) => name).join(', ');
  return (
    <TextArea
      label="Filters as JSON"
      name="filters"
      dir="ltr"
      spellCheck={false}
      rows={6}
      hint={
        <>
          A list of rules such as{' '}
          <code>{'[{"field": "state", "operator": "IN", "value": ["CA"]}]'}</code>; empty: none.
          Fields: {names}
        </>
      }
      defaultValue={terms.filters == null ? '' : JSON.stringify(terms.filters, null, 2)}
    />
  );
}
