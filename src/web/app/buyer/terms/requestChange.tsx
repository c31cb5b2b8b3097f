import { useState, type ReactNode } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { useCall, useWrite, type Terms } from '../calls.js';
import {
  ConfirmedForm,
  EmptyState,
  Field,
  Loaded,
  MoneyField,
  Page,
  Select,
  TextArea,
  useToast,
} from '../../ui/index.js';
import type { Term } from '../../lib/terms.js';
import { askedOf, CAP_FIELDS, textOf, valueOf, wantedOf, type Caps } from './wanted.js';
import { ChangeTable } from './values.js';

/** Requests other terms from the seller: shows the differences before it sends them. */
export default function RequestChange(): ReactNode {
  const { campaign } = useParams<{ campaign: string }>();
  const terms = useCall('get_terms', {});
  return (
    <Page
      title="Request a change"
      intro={<p>Nothing changes until the seller approves.</p>}
      actions={<Link href="/terms">Terms</Link>}
    >
      <Loaded of={terms}>
        {(all) => {
          const one = all.find((candidate) => candidate.campaign.id === campaign);
          return one ? (
            <ChangeForm key={campaign} terms={one} />
          ) : (
            <EmptyState title="You are not in this campaign">
              Choose one under <Link href="/terms">Terms</Link>.
            </EmptyState>
          );
        }}
      </Loaded>
    </Page>
  );
}

function ChangeForm({ terms }: { terms: Terms }): ReactNode {
  const request = useWrite('request_change');
  const [, goTo] = useLocation();
  const toast = useToast();
  // The change refers to the terms that are shown, even when they are read again meanwhile.
  const [seen] = useState(terms);
  const finish = (): void => {
    toast('The change was requested.');
    goTo('/terms');
  };
  return (
    <>
      <h2>
        <bdi>{seen.campaign.name}</bdi>
      </h2>
      <ConfirmedForm
        submit="Review changes"
        title="Request this change?"
        act="Send request"
        write={request}
        read={(values) => wantedOf(values, seen)}
        run={({ input }) => request.run(input)}
        summary={({ changes }) => <ChangeTable changes={changes} />}
        onDone={finish}
      >
        {askedOf(seen).map((term) => (
          <TermField key={term.name} term={term} terms={seen} />
        ))}
        <TextArea
          label="Reason"
          name="reason"
          hint="Shown to the seller, who decides"
          maxLength={2000}
          rows={3}
        />
      </ConfirmedForm>
    </>
  );
}

function TermField({ term, terms }: { term: Term; terms: Terms }): ReactNode {
  const { name, label, about: hint, unit, kind, options = [], isOptional } = term;
  const value = valueOf(terms, name);
  const field = { name, label, hint, defaultValue: textOf(term, value) };
  if (name === 'caps') return <CapFields caps={value as Caps} />;
  if (kind === 'choice')
    return <Select {...field} options={options.map((one) => ({ value: one, label: one }))} />;
  if (kind === 'list') return <Field {...field} hint={`${hint}, separated by commas`} />;
  if (unit === 'money') return <MoneyField {...field} required={!isOptional} />;
  if (kind === 'number')
    return <Field {...field} type="number" step="any" required={!isOptional} />;
  return (
    <TextArea
      {...field}
      label={`${label} as JSON`}
      hint={name === 'filters' ? <FilterHint {...terms} /> : hint}
      dir="ltr"
      spellCheck={false}
      rows={6}
    />
  );
}

const CapFields = ({ caps }: { caps: Caps }): ReactNode =>
  CAP_FIELDS.map(({ name, isMoney, of, ...field }) => {
    const given = { ...field, name: `caps.${name}`, defaultValue: of(caps) ?? '' };
    return isMoney ? (
      <MoneyField key={name} {...given} />
    ) : (
      <Field key={name} type="number" inputMode="numeric" min={0} step={1} {...given} />
    );
  });

const FilterHint = ({ fields }: Terms): ReactNode => (
  <>
    Rules such as <code>{'[{"field": "state", "operator": "IN", "value": ["CA"]}]'}</code>. Leave
    empty for none. Fields: {fields.map(({ name }) => name).join(', ')}
  </>
);
