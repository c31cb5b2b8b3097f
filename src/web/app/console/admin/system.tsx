import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCall, type OutputOf } from '../../lib/useActions.js';
import {
  Chip,
  EmptyState,
  Facts,
  Loaded,
  Notice,
  Page,
  Section,
  Table,
  Tile,
  Tiles,
  Time,
} from '../../ui/index.js';
import './admin.css';

type System = OutputOf<'get_system'>;

const PARTS: ReadonlyMap<string, { title: string; about: string }> = new Map([
  ['mongodb', { title: 'MongoDB', about: 'Keeps everything: without it nothing is accepted.' }],
  ['temporal', { title: 'Temporal', about: 'Runs the workflows: without it leads are refused.' }],
  ['workers', { title: 'Workers', about: 'Decide leads: one has to listen.' }],
]);

const REFRESH_SECONDS = 15;

/** Whether the installation is well, what waits in this account, and what runs in which version. */
export default function SystemScreen(): ReactNode {
  const system = useCall('get_system', {}, { refreshSeconds: REFRESH_SECONDS });
  return (
    <Page
      title="System"
      how={{ action: 'get_system' }}
      intro="The installation that your organization runs on. What other organizations do on it is not shown."
    >
      <Loaded of={system}>{(data) => <State of={data} />}</Loaded>
    </Page>
  );
}

function State({ of }: { of: System }): ReactNode {
  return (
    <div className="stack">
      {of.status === 'not_ready' && (
        <Notice tone="bad" title="Leads are not accepted now">
          <p>{awayText(of)}</p>
        </Notice>
      )}
      {of.warnings.map((warning) => (
        <Notice key={warning} tone="warning" title="To be resolved by an operator">
          <p>{warning}</p>
        </Notice>
      ))}
      <Tiles>
        <Tile
          label="State"
          value={of.status === 'ready' ? 'Ready' : 'Not ready'}
          hint={
            of.status === 'ready'
              ? 'A lead would be accepted and decided now'
              : 'A part does not answer'
          }
        />
        <Tile
          label="Last repair"
          value={of.reconciled_at === null ? 'Never' : <Time at={of.reconciled_at} isRelative />}
          hint="Reconcile runs every minute"
        />
        <Waiting of={of.waiting} />
      </Tiles>
      <Section title="Parts">
        <Table
          caption="Parts of the installation"
          rows={of.parts}
          rowKey={({ name }) => name}
          empty={<EmptyState title="No parts are reported" />}
          columns={[
            { header: 'Part', cell: ({ name }) => PARTS.get(name)?.title ?? name },
            {
              header: 'State',
              cell: ({ state }) =>
                state === 'ok' ? <Chip tone="good">Answers</Chip> : <Chip tone="bad">Away</Chip>,
            },
            {
              header: 'Answered in',
              isNumber: true,
              cell: ({ latency_ms }) => (latency_ms === null ? '–' : `${latency_ms} ms`),
            },
            {
              header: 'About',
              cell: ({ name, message }) => message ?? PARTS.get(name)?.about ?? '',
            },
          ]}
        />
      </Section>
      <Section title="Versions">
        <Facts
          facts={[
            ['Leadwire', `${of.versions.leadwire} (${of.versions.commit})`],
            ['Built', <Time key="built" at={of.versions.built_at} />],
            ['Node.js', of.versions.node],
            ['MongoDB', of.versions.mongodb ?? 'does not answer'],
            ['Temporal', of.versions.temporal ?? 'does not answer'],
          ]}
        />
      </Section>
      <Section title="Look further">
        <Further of={of.links} />
      </Section>
    </div>
  );
}

/** Which parts are away. */
const awayText = ({ parts }: System): string =>
  parts
    .filter(({ state }) => state === 'error')
    .map(({ name, message }) => `${PARTS.get(name)?.title ?? name}: ${message ?? 'no answer'}.`)
    .join(' ');

/** What waits in this account. */
function Waiting({ of: waiting }: { of: System['waiting'] }): ReactNode {
  return (
    <>
      <Tile
        label="Deliveries that wait"
        value={waiting.deliveries}
        href="/queues"
        hint={
          waiting.oldest_at === null ? (
            'None'
          ) : (
            <>
              since <Time at={waiting.oldest_at} isRelative />
            </>
          )
        }
      />
      <Tile
        label="Never answered"
        value={waiting.unknown}
        href="/queues?state=unknown"
        hint={waiting.unknown > 0 ? 'An operator has to decide' : 'None'}
      />
    </>
  );
}

function Further({ of }: { of: System['links'] }): ReactNode {
  const { metrics_url, temporal_ui_url, temporal_namespace } = of;
  return (
    <ul className="admin-links">
      {temporal_ui_url !== null && (
        <Outside href={`${temporal_ui_url}/namespaces/${temporal_namespace}/workflows`}>
          Workflows in the Temporal UI
        </Outside>
      )}
      {metrics_url !== null && <Outside href={metrics_url}>Metrics for Prometheus</Outside>}
      <Outside href="/docs">Reference of the API</Outside>
      <li>
        <Link href="/audit">What was changed</Link>
      </li>
    </ul>
  );
}

const Outside = ({ href, children }: { href: string; children: ReactNode }): ReactNode => (
  <li>
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children} <ExternalLink size={14} aria-hidden />
      <span className="hidden"> (opens a new tab)</span>
    </a>
  </li>
);
