/** Sends a test lead or a test ping, and shows the response and its reason. */
import { useState, type ReactNode } from 'react';
import { useCall, useWrite, type OutputOf } from './calls.js';
import { EmptyState, Form, Loaded, Page, Select, TextArea } from '../ui/index.js';
import { useCan } from '../lib/session.js';
import { CampaignChoice } from './campaignChoice.js';
import { ConsoleAnswer } from './consoleAnswer.js';
import { ConsoleFields } from './consoleFields.js';
import { faultsOf, fieldsOf, jsonOf, readJson, type TestAnswer } from './consoleInput.js';
import { formText } from '../lib/formValues.js';
import { TestBand, type Campaign } from './words.js';

type Guide = OutputOf<'get_posting_guide'>['guide'];

const WAYS = [
  { value: 'fields', label: 'Fields' },
  { value: 'json', label: 'JSON' },
] as const;
const KINDS = [
  { value: 'lead', label: 'Lead' },
  { value: 'ping', label: 'Ping' },
] as const;

export default function Console(): ReactNode {
  const canTest = useCan('send_test_post');
  return (
    <Page title="Test console">
      <TestBand />
      {canTest ? (
        <CampaignChoice>
          {(campaign) => <Guided key={campaign.id} campaign={campaign} />}
        </CampaignChoice>
      ) : (
        <EmptyState title="Your role cannot send tests">Contact an admin of your team.</EmptyState>
      )}
    </Page>
  );
}

function Guided({ campaign }: { campaign: Campaign }): ReactNode {
  const guide = useCall('get_posting_guide', { campaign_id: campaign.id });
  return (
    <Loaded of={guide}>{({ guide: data }) => <Sender campaign={campaign} guide={data} />}</Loaded>
  );
}

function Sender({ campaign, guide }: { campaign: Campaign; guide: Guide }): ReactNode {
  const post = useWrite('send_test_post');
  const ping = useWrite('send_test_ping');
  const [kind, setKind] = useState<'lead' | 'ping'>('lead');
  const [way, setWay] = useState<'fields' | 'json'>('fields');
  const [answer, setAnswer] = useState<TestAnswer | null>(null);
  const [pingId, setPingId] = useState<string | null>(null);
  const write = kind === 'ping' ? ping : post;

  const submit = async (values: FormData): Promise<void> => {
    const fields = way === 'json' ? readJson(formText(values, 'json')) : fieldsOf(values);
    const input = { campaign_id: campaign.id, fields };
    setAnswer(null);
    if (kind === 'ping') {
      const answered = await ping.run(input);
      setAnswer(answered && { ...answered, ping: null });
      const id = answered?.answer.ping_id;
      setPingId(typeof id === 'string' ? id : null);
    } else {
      setAnswer(await post.run(pingId === null ? input : { ...input, ping_id: pingId }));
      // One lead redeems a ping.
      setPingId(null);
    }
  };

  return (
    <>
      <div className="filters">
        {campaign.is_ping_post && (
          <Select
            label="Type"
            name="kind"
            value={kind}
            onChange={(event) => setKind(event.target.value === 'ping' ? 'ping' : 'lead')}
            options={KINDS}
          />
        )}
        <Select
          label="Input format"
          name="way"
          value={way}
          onChange={(event) => setWay(event.target.value === 'json' ? 'json' : 'fields')}
          options={WAYS}
        />
      </div>
      {kind === 'lead' && campaign.is_ping_post && (
        <p className="muted">
          {pingId === null
            ? 'A test ping is sent first.'
            : 'The lead is posted with the ping that you sent.'}
        </p>
      )}
      <Form
        onSubmit={submit}
        write={write}
        error={write.error ?? faultsOf(answer, way)}
        submit={`Send test ${kind}`}
      >
        {way === 'json' ? (
          <TextArea
            label="JSON"
            name="json"
            rows={14}
            spellCheck={false}
            dir="ltr"
            required
            defaultValue={jsonOf(guide.fields)}
            hint="A JSON object. Missing fields get made-up values; null omits a field."
          />
        ) : (
          <ConsoleFields fields={guide.fields} />
        )}
      </Form>
      <ConsoleAnswer answer={answer} />
    </>
  );
}
