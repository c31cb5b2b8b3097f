/** Sends a test event now, and shows the response. */
import { useState, type ReactNode } from 'react';
import { useWrite, type OutputOf } from './calls.js';
import { Badge, Button, Code, ErrorState, Section } from '../ui/index.js';

type Tried = OutputOf<'test_webhook'>;

export function WebhookTest(): ReactNode {
  const test = useWrite('test_webhook');
  const [tried, setTried] = useState<Tried | null>(null);
  return (
    <Section
      title="Test webhook"
      actions={
        <Button isBusy={test.isRunning} onClick={() => void test.run({}).then(setTried)}>
          Send test event
        </Button>
      }
    >
      <div role="status">
        {tried && (
          <p>
            <Badge tone={tried.ok ? 'good' : 'bad'}>{tried.ok ? 'Succeeded' : 'Failed'}</Badge>{' '}
            {tried.http_status !== null && `HTTP ${tried.http_status}. `}
            {tried.reason}
          </p>
        )}
      </div>
      {test.error && <ErrorState error={test.error} />}
      {tried && <Code label="Request" text={tried.sent} />}
    </Section>
  );
}
