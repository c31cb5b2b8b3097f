import { useState, type ReactNode } from 'react';
import { useFormats } from '../../lib/format.js';
import { useCall, useWrite, type OutputOf, type Terms } from '../calls.js';
import {
  Badge,
  Code,
  EmptyState,
  Facts,
  Field,
  Form,
  Loaded,
  Select,
  type Tone,
} from '../../ui/index.js';
import { formText } from '../../lib/formValues.js';
import { TestMark } from '../words.js';

type Result = OutputOf<'send_test_lead'>;

/** Sends a made-up lead to the buyer's endpoint, and shows the response. */
export function TestLead(): ReactNode {
  const terms = useCall('get_terms', {});
  return (
    <Loaded of={terms}>
      {(campaigns) =>
        campaigns.length === 0 ? (
          <EmptyState title="No campaigns yet">
            The fields of a test lead come from a campaign.
          </EmptyState>
        ) : (
          <TestForm campaigns={campaigns} />
        )
      }
    </Loaded>
  );
}

function TestForm({ campaigns }: { campaigns: readonly Terms[] }): ReactNode {
  const send = useWrite('send_test_lead');
  const [result, setResult] = useState<Result | null>(null);
  const [chosen, setChosen] = useState(campaigns[0]?.campaign.id ?? '');
  const fields = campaigns.find(({ campaign }) => campaign.id === chosen)?.fields ?? [];
  const submit = async (values: FormData): Promise<void> => {
    setResult(null);
    const typed = fields
      .map(({ name }) => [name, formText(values, `fields.${name}`)] as const)
      .filter(([, text]) => text !== '');
    setResult(await send.run({ campaign_id: chosen, fields: Object.fromEntries(typed) }));
  };
  return (
    <>
      <p>
        <TestMark /> Sent to your endpoint only; not stored, and free of charge.
      </p>
      <Form onSubmit={submit} write={send} submit="Send test lead">
        <Select
          label="Campaign"
          name="campaign_id"
          options={campaigns.map(({ campaign }) => ({ value: campaign.id, label: campaign.name }))}
          value={chosen}
          onChange={(event) => setChosen(event.target.value)}
        />
        {fields.length > 0 && (
          <details>
            <summary>Use custom values</summary>
            {fields.map(({ name, label }) => (
              <Field key={name} label={label} name={`fields.${name}`} maxLength={10_000} />
            ))}
          </details>
        )}
      </Form>
      {result && <TestResult of={result} />}
    </>
  );
}

const TONE: Record<Result['result'], Tone> = {
  accepted: 'good',
  rejected: 'warning',
  failed: 'bad',
  unanswered: 'bad',
};

function TestResult({ of }: { of: Result }): ReactNode {
  const { number } = useFormats();
  return (
    <div className="card">
      <p role="status">
        <Badge tone={TONE[of.result]}>{of.result}</Badge> {of.message}
      </p>
      <Facts
        facts={[
          ['HTTP status', of.http_status ?? '–'],
          ['Response time', `${number(of.latency_ms)} ms`],
        ]}
      />
      <Code
        label="Request"
        text={Object.fromEntries(of.sent.map(({ name, value }) => [name, value]))}
      />
      {of.answer !== null && <Code label="Response" text={of.answer} />}
    </div>
  );
}
