import { Suspense, type ReactNode } from 'react';
import { useFormats } from '../../lib/format.js';
import { lazily } from '../../lib/route.js';
import { useCan } from '../../lib/session.js';
import { useCall, type Endpoint } from '../calls.js';
import {
  Facts,
  Loaded,
  Page,
  Section,
  Skeleton,
  Time,
  WordBadge,
  type Word,
} from '../../ui/index.js';
import { EndpointForm } from './endpointForm.js';
import { Secrets } from './secrets.js';
import { TestLead } from './testLead.js';

/** Below the settings, which are there without waiting for it. */
const Attempts = lazily(() => import('./attempts.js'));

/** Where leads are sent, their deliveries, and the ways to test and to change it. */
export default function EndpointPage(): ReactNode {
  const endpoint = useCall('get_endpoint', {}, { refreshSeconds: 30 });
  return (
    <Page
      title="Endpoint"
      intro={<p>Where your leads are sent, and whether deliveries succeed.</p>}
    >
      <Loaded of={endpoint}>{(data) => <Endpoint endpoint={data} />}</Loaded>
      {useCan('list_attempts') && (
        <Section title="Recent attempts">
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
            <summary>Edit endpoint</summary>
            <EndpointForm endpoint={endpoint} />
          </details>
        )}
        {mayUpdate && !endpoint.can_update && (
          <p className="muted">
            Only the seller can change these settings. Contact them to request a change.
          </p>
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
  WEBHOOK: 'Webhook: one request per lead',
  EMAIL: 'Email',
  GOOGLE_SHEET: 'Google Sheets: one row per lead',
  STORE: 'Stored here: you read your leads in this portal',
};

const HEALTH: Record<Endpoint['health']['state'], Word> = {
  well: ['Healthy', 'good'],
  failing: ['Failing', 'warning'],
  paused: ['Sending paused', 'bad'],
};

function Settings({ endpoint }: { endpoint: Endpoint }): ReactNode {
  const { number } = useFormats();
  const { health, overridden_in, headers, recipients, url, max_per_second } = endpoint;
  const others = overridden_in.map(({ name }) => name).join(', ');
  return (
    <Facts
      facts={[
        ['Method', METHOD[endpoint.method]],
        ['Address', url !== null && <code>{url}</code>],
        ['To', recipients.length > 0 && recipients.join(', ')],
        ['Headers (values hidden)', headers.length > 0 && <code>{headers.join(', ')}</code>],
        ['Format', endpoint.format],
        ['Timeout', `${number(endpoint.timeout_ms)} ms`],
        ['Rate limit', max_per_second !== null && `${number(max_per_second)} per second`],
        ['Deduplicates retries', endpoint.honours_idempotency_key ? 'yes' : 'no'],
        ['State', <WordBadge of={HEALTH[health.state]} />],
        ['Failures in a row', health.failures > 0 && number(health.failures)],
        ['Next attempt', health.open_until !== null && <Time at={health.open_until} />],
        ['On hold', health.is_held && 'by the seller'],
        ['Waiting', number(health.waiting)],
        ['Unanswered', number(health.unanswered)],
        ['Overridden in', others !== '' && <bdi>{others}</bdi>],
      ]}
    />
  );
}
