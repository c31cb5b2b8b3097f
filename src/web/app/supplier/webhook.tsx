/** Notifies a supplier of leads that were answered `pending` and have been decided. */
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useCan } from '../lib/session.js';
import { useCall, useWrite, type OutputOf } from './calls.js';
import {
  Code,
  Confirmed,
  EmptyState,
  Facts,
  FormButton,
  Loaded,
  Page,
  Section,
  Table,
  Time,
  WordBadge,
  Written,
  type Word,
} from '../ui/index.js';
import { postHref } from './postTable.js';
import { OverlapField, overlapOf, ShownOnce, type Made } from '../lib/rotation.js';
import { WebhookForm } from './webhookForm.js';
import { WebhookTest } from './webhookTest.js';

type Hook = NonNullable<OutputOf<'get_webhook'>>;
type Attempt = Hook['attempts'][number];

const REFRESH_SECONDS = 30;

const STATUSES: Record<Hook['status'], Word> = {
  active: ['Active', 'good'],
  paused: ['Paused', 'warning'],
  disabled: ['Disabled', 'bad'],
};
const STATES: Record<Attempt['state'], Word> = {
  waiting: ['Waiting', 'neutral'],
  delivered: ['Delivered', 'good'],
  parked: ['Abandoned', 'bad'],
};

export default function Webhook(): ReactNode {
  const webhook = useCall('get_webhook', {}, { refreshSeconds: REFRESH_SECONDS });
  const canSet = useCan('set_webhook');
  const [made, setMade] = useState<Made | null>(null);
  return (
    <Page
      title="Webhook"
      intro="A lead answered with pending is decided later. Your server is then notified with a signed request."
    >
      <Loaded of={webhook}>
        {(hook) => (
          <>
            {hook && <State hook={hook} onMade={setMade} />}
            {canSet && (
              <Section title={hook ? 'Edit webhook' : 'Set up webhook'}>
                <WebhookForm
                  key={hook?.created_at ?? 'new'}
                  hook={hook}
                  onSecret={(secret) => setMade({ secret, previousUntil: null })}
                />
              </Section>
            )}
            {!hook && !canSet && (
              <EmptyState title="No webhook">An admin of your team can set one up.</EmptyState>
            )}
            {hook && <Attempts hook={hook} />}
          </>
        )}
      </Loaded>
      <ShownOnce
        title="The secret of your webhook"
        what="secret"
        made={made}
        onClose={() => setMade(null)}
      />
    </Page>
  );
}

function State({ hook, onMade }: { hook: Hook; onMade(made: Made): void }): ReactNode {
  const canRotate = useCan('rotate_webhook_secret');
  const canRemove = useCan('remove_webhook');
  const canTest = useCan('test_webhook');
  const rotate = useWrite('rotate_webhook_secret');
  const remove = useWrite('remove_webhook');
  const { disabled_reason: why, failing_since, previous_secret_until: until } = hook;
  return (
    <>
      <Facts
        facts={[
          ['Address', <Written>{hook.url}</Written>],
          ['State', <WordBadge of={STATUSES[hook.status]} />],
          ['Waiting', hook.waiting < 1_000 ? String(hook.waiting) : '1,000 or more'],
          ['Reason', why !== null && <Written>{why}</Written>],
          ['Failing since', failing_since && <Time at={failing_since} />],
          ['Old secret valid until', until && <Time at={until} />],
        ]}
      />
      <div className="actions">
        {canRotate && (
          <FormButton
            button="Rotate secret"
            title="Rotate the secret"
            write={rotate}
            submit="Rotate"
            run={(values) => rotate.run({ overlap_hours: overlapOf(values) })}
            onDone={({ secret, previous_until }) =>
              onMade({ secret, previousUntil: previous_until })
            }
          >
            <p>Events are signed with both the old and the new secret for the hours you choose.</p>
            <OverlapField label="Hours that the old secret stays valid" />
          </FormButton>
        )}
        {canRemove && (
          <Confirmed
            button="Remove webhook"
            kind="danger"
            title="Remove the webhook?"
            act="Remove"
            isDanger
            write={remove}
            run={() => remove.run({})}
            describe={() => 'The webhook was removed.'}
          >
            <p>Queued events are not sent, and the secret stops working. This cannot be undone.</p>
          </Confirmed>
        )}
      </div>
      {canTest && <WebhookTest />}
    </>
  );
}

function Attempts({ hook }: { hook: Hook }): ReactNode {
  return (
    <Section title="Recent events">
      <Table
        caption="Recent events"
        rows={hook.attempts}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No events yet">
            An event is sent when a pending lead is decided.
          </EmptyState>
        }
        columns={[
          { header: 'Time', cell: ({ at }) => <Time at={at} /> },
          {
            header: 'Lead',
            cell: ({ lead_id }) =>
              lead_id === null ? '–' : <Link href={postHref(lead_id)}>View post</Link>,
          },
          { header: 'State', cell: ({ state }) => <WordBadge of={STATES[state]} /> },
          { header: 'Attempts', isNumber: true, cell: ({ attempts }) => String(attempts) },
          { header: 'HTTP', cell: ({ http_status }) => String(http_status ?? '–') },
          {
            header: 'Reason',
            cell: ({ reason }) => (reason === null ? '–' : <Written>{reason}</Written>),
          },
          { header: 'Next attempt', cell: ({ next_at }) => <Time at={next_at} /> },
        ]}
      />
      <Code label="Example event" text={hook.example} />
    </Section>
  );
}
