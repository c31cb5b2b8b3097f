import { Suspense, type ReactNode } from 'react';
import { useFormats } from '../../lib/format.js';
import { lazily } from '../../lib/route.js';
import { useCan } from '../../lib/session.js';
import { useCall } from '../calls.js';
import { Badge, Facts, Loaded, Page, Section, Skeleton, Time, type Tone } from '../../ui/index.js';
import type { Endpoint } from '../types.js';
import { EndpointForm } from './endpointForm.js';
import { Secrets } from './secrets.js';
import { TestLead } from './testLead.js';

/** Below the settings, which are there without waiting for it. */
const Attempts = lazily(() => import('./attempts.js'));

/** Where leads are sent, their deliveries, and the ways to test and to change it. */
export default function EndpointPage(): ReactNode {
  const endpoint = useCall('get_endpoint', {}, { refreshSeconds: 30 });
  return (
    <Page title="Endpoint" intro={<p>Where your leads are sent, and how it goes.</p>}>
      <Loaded of={endpoint}>{(data) => <Endpoint endpoint={data} />}</Loaded>
      {useCan('list_attempts') && (
        <Section title="Last attempts">
          <Suspense fallback={<Skeleton />}>
            <Attempts />
          </Suspense>
        </Section>
      )}
    </Page>
  );
}

function Endpoint({ endpoint }: { endpoint: Endpoint }): ReactNode {
  const mayUpdate = useCan('update_endpoint');
  const mayTest = useCan('send_test_lead');
  const mayRotate = useCan('rotate_secret');
  return (
    <>
      <Section title="Settings">
        <Settings endpoint={endpoint} />
        {mayUpdate && endpoint.can_update && (
          <details>
            <summary>Change the address</summary>
            <EndpointForm endpoint={endpoint} />
          </details>
        )}
        {mayUpdate && !endpoint.can_update && (
          <p className="muted">Only the seller changes these settings. Ask your contact there.</p>
        )}
      </Section>
      {mayTest && (
        <Section title="Test lead">
          <TestLead />
        </Section>
      )}
      {mayRotate && (
        <Section title="Secrets">
          <Secrets endpoint={endpoint} />
        </Section>
      )}
    </>
  );
}

const METHOD: Record<Endpoint['method'], string> = {
  WEBHOOK: 'Webhook: a request for each lead',
  EMAIL: 'E-mail',
  GOOGLE_SHEET: 'A row in a Google sheet',
  STORE: 'Stored: you read your leads here',
};

const HEALTH: Record<Endpoint['health']['state'], readonly [string, Tone]> = {
  well: ['Works', 'good'],
  failing: ['Failing', 'warning'],
  paused: ['Not sent for a while', 'bad'],
};

function Settings({ endpoint }: { endpoint: Endpoint }): ReactNode {
  const { number } = useFormats();
  const { health, overridden_in, headers, recipients } = endpoint;
  const [state, tone] = HEALTH[health.state];
  const others = overridden_in.map(({ name }) => name).join(', ');
  return (
    <Facts
      facts={[
        ['Way', METHOD[endpoint.method]],
        ...(endpoint.url === null
          ? []
          : [['Address', <code key="url">{endpoint.url}</code>] as const]),
        ...(recipients.length === 0 ? [] : [['To', recipients.join(', ')] as const]),
        ...(headers.length === 0
          ? []
          : [['Headers, values hidden', <code key="names">{headers.join(', ')}</code>] as const]),
        ...(endpoint.format === null ? [] : [['Format', endpoint.format] as const]),
        ['Time to answer', `${number(endpoint.timeout_ms)} ms`],
        ...(endpoint.max_per_second === null
          ? []
          : [['At most', `${number(endpoint.max_per_second)} a second`] as const]),
        ['Repeats recognized', endpoint.honours_idempotency_key ? 'yes' : 'no'],
        [
          'State',
          <Badge key="state" tone={tone}>
            {state}
          </Badge>,
        ],
        ...(health.failures === 0 ? [] : [['Failures in a row', number(health.failures)] as const]),
        ...(health.open_until === null
          ? []
          : [['Tried again', <Time key="until" at={health.open_until} />] as const]),
        ...(health.is_held ? [['Held', 'by the seller'] as const] : []),
        ['Waiting', number(health.waiting)],
        ['Unanswered', number(health.unanswered)],
        ...(others === '' ? [] : [['Different in', <bdi key="others">{others}</bdi>] as const]),
      ]}
    />
  );
}
