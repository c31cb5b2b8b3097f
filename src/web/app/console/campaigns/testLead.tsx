/** A test lead: sent as a supplier would, through every step, and shown as its way. */
import { FlaskConical } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link, useParams } from 'wouter';
import { formText } from '../../lib/formValues.js';
import { useCall, useWrite, type OutputOf } from '../../lib/useActions.js';
import {
  Chip,
  Code,
  Field,
  Form,
  Loaded,
  Notice,
  Section,
  Select,
  Timeline,
  type Tone,
} from '../../ui/index.js';
import { CampaignFrame, type Campaign } from './frame.js';

type Result = OutputOf<'send_test_lead'>;
type Guide = NonNullable<OutputOf<'get_campaign_api_spec'>['guide']>;

export default function CampaignTest(): ReactNode {
  const { id } = useParams<{ id: string }>();
  return (
    <CampaignFrame id={id} how={{ action: 'send_test_lead', input: { campaign_id: id } }}>
      {(campaign) => <TestLead campaign={campaign} />}
    </CampaignFrame>
  );
}

function TestLead({ campaign }: { campaign: Campaign }): ReactNode {
  const { id, suppliers } = campaign;
  const guide = useCall('get_campaign_api_spec', { campaign_id: id });
  if (suppliers.length === 0)
    return (
      <Notice
        title="The campaign has no supplier"
        action={<Link href={`/campaigns/${id}/suppliers`}>Add a supplier</Link>}
      >
        <p>A test lead is sent in the name of a supplier.</p>
      </Notice>
    );
  return (
    <>
      <p className="muted">
        A test lead goes to buyers in test mode only. It costs nothing, fills no cap, and is never a
        duplicate.
      </p>
      <Loaded of={guide}>
        {(data) =>
          data.guide && (
            <TestForm campaign={campaign} fields={data.guide.fields.filter(isOfPerson)} />
          )
        }
      </Loaded>
    </>
  );
}

/** Which campaign and supplier, and that it is a test, follow from the form. */
const CONTROL = new Set(['flo_campaign_id', 'flo_supplier_id', 'test_lead']);
const isOfPerson = ({ name }: { name: string }): boolean => !CONTROL.has(name);

interface TestFormProps {
  campaign: Campaign;
  fields: Guide['fields'];
}

function TestForm({ campaign: { id, suppliers }, fields }: TestFormProps): ReactNode {
  const write = useWrite('send_test_lead');
  const [result, setResult] = useState<Result | null>(null);
  const send = async (values: FormData): Promise<void> => {
    const given = fields
      .map(({ name }): [string, string] => [name, formText(values, name)])
      .filter(([, text]) => text !== '');
    const done = await write.run({
      campaign_id: id,
      supplier_id: formText(values, 'supplier_id'),
      fields: Object.fromEntries(given),
    });
    if (done) setResult(done);
  };
  return (
    <div className="test-lead">
      <Form write={write} submit="Send test lead" onSubmit={send}>
        <Select
          label="In the name of"
          name="supplier_id"
          options={suppliers.map((one) => ({ value: one.supplier_id, label: one.name }))}
        />
        {fields.map(({ name, label, rules, example }) => (
          <Field
            key={name}
            label={label}
            name={name}
            hint={rules.length > 0 ? rules.join('; ') : undefined}
            placeholder={example === null ? 'generated' : `generated, such as ${String(example)}`}
            maxLength={2_000}
          />
        ))}
      </Form>
      {result && <TestResult result={result} />}
    </div>
  );
}

const TONES: Readonly<Record<NonNullable<Result['status']>, Tone>> = {
  ACCEPTED: 'good',
  UNMATCHED: 'warning',
  DUPLICATE: 'warning',
  REJECTED: 'bad',
};

function TestResult({ result }: { result: Result }): ReactNode {
  const { lead_id, status, message, http_status, answer, sent, trail } = result;
  return (
    <Section
      title="What happened"
      actions={lead_id !== null && <Link href={`/leads/${lead_id}`}>Open the lead</Link>}
    >
      <p role="status">
        <Chip tone={status === null ? 'bad' : TONES[status]} icon={FlaskConical}>
          {status === null ? 'Refused' : wordOf(status)}
        </Chip>{' '}
        {message}
      </p>
      {trail && (
        <Timeline
          label="Its way"
          items={trail.map((step) => ({
            at: step.at,
            title: `${wordOf(step.step)}: ${wordOf(step.result).toLowerCase()}`,
            tone: toneOf(step.result),
            detail: step.reason === null ? undefined : wordOf(step.reason),
          }))}
        />
      )}
      <Code label={`What the supplier is answered: ${http_status}`} text={answer} />
      <Code label="What was sent" text={sent} />
    </Section>
  );
}

const GOOD = new Set(['passed', 'valid', 'accepted', 'ACCEPTED', 'ranked', 'redeemed']);
const BAD = new Set(['failed', 'matched', 'rejected', 'REJECTED', 'no_buyer', 'UNMATCHED']);

const toneOf = (result: string): Tone =>
  GOOD.has(result) ? 'good' : BAD.has(result) ? 'bad' : 'neutral';

/** A code as words: `no_buyer` is `No buyer`. */
function wordOf(code: string): string {
  const words = code.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
