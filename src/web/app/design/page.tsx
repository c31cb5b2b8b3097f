import type { ReactNode } from 'react';
import {
  Badge,
  Button,
  Code,
  Day,
  EmptyState,
  ErrorState,
  Facts,
  Meter,
  Money,
  Page,
  Percent,
  Section,
  Skeleton,
  Time,
  useToast,
  Written,
} from '../ui/index.js';
import { Charts } from './charts.js';
import { Data } from './data.js';
import { Forms } from './forms.js';
import { Tables } from './tables.js';

const RIGHT_TO_LEFT = 'שלום, עולם';

export function Design(): ReactNode {
  return (
    <Page
      title="Design system"
      intro="The parts that every screen is made of. Colors follow the theme of the device; a portal brings its own brand color."
      actions={<Button kind="primary">An act of the page</Button>}
    >
      <Section title="Type">
        <h1>Heading of a page</h1>
        <h2>Heading of a section</h2>
        <h3>Heading of a part</h3>
        <p>
          Text as it is read, with a <a href="#content">link</a> and <code>code</code>.
        </p>
        <p className="muted">Text beside the point.</p>
      </Section>
      <Section title="Buttons">
        <Buttons />
      </Section>
      <Section title="Badges">
        <div className="actions">
          <Badge>Neutral</Badge>
          <Badge tone="good">Delivered</Badge>
          <Badge tone="warning">Waiting</Badge>
          <Badge tone="bad">Refused</Badge>
          <Badge tone="info">Test</Badge>
        </div>
      </Section>
      <Section title="Values">
        <Values />
      </Section>
      <Section title="Forms">
        <Forms />
      </Section>
      <Section title="Tables">
        <Tables />
      </Section>
      <Section title="Data">
        <Data />
      </Section>
      <Section title="Limits">
        <Meter label="Leads today" used={42} limit={100} resetsAt="2026-11-26T05:00:00Z" />
        <Meter label="Budget this month" used={4_800} limit={5_000} isMoney />
      </Section>
      <Section title="Charts">
        <Charts />
      </Section>
      <Section title="In the place of data">
        <EmptyState title="No leads yet">They appear here as soon as you buy one.</EmptyState>
        <ErrorState error={new Error('The service cannot be reached.')} retry={() => undefined} />
        <Skeleton />
      </Section>
      <Section title="Code">
        <Code
          label="curl"
          text={"curl -s https://leads.example/api/v1/ingest \\\n  -H 'x-api-key: …'"}
        />
      </Section>
    </Page>
  );
}

function Buttons(): ReactNode {
  const toast = useToast();
  return (
    <div className="actions">
      <Button kind="primary" onClick={() => toast('Saved.')}>
        Show a toast
      </Button>
      <Button>Secondary</Button>
      <Button kind="danger">Remove</Button>
      <Button kind="quiet">Quiet</Button>
      <Button isBusy>Saving</Button>
      <Button disabled>Not possible</Button>
    </div>
  );
}

function Values(): ReactNode {
  return (
    <Facts
      facts={[
        ['Time', <Time at="2026-11-25T17:31:00Z" />],
        ['Day', <Day day="2026-11-25" />],
        ['Money', <Money amount={1_234.5} />],
        ['Share', <Percent share={0.274} />],
        ['Nothing', <Money amount={null} />],
        ['Right to left', <Written>{RIGHT_TO_LEFT}</Written>],
        ['Long', <Written>{'Averylongnamewithoutaspace'.repeat(400)}</Written>],
        ['Markup', <Written>{'<b onclick="alert(1)">bold</b>'}</Written>],
      ]}
    />
  );
}
