import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useFormats } from '../lib/format.js';
import { useCan } from '../lib/session.js';
import { useWrite } from './calls.js';
import { Button, Code, Confirm, ErrorState, Facts, Time, useToast } from '../ui/index.js';
import { shortId } from './leadLink.js';
import type { Attempt, OutputOf } from './types.js';
import { AttemptState } from './words.js';

interface AttemptProps {
  attempt: Attempt;
  /** In a list over several leads: shows the lead of the delivery. */
  hasLead?: boolean;
}

/** One delivery: its result, what was sent, and the answer. */
export function AttemptCard({ attempt, hasLead = false }: AttemptProps): ReactNode {
  const { number } = useFormats();
  const { http_status, latency_ms, reason, reference, settled_at, due_at } = attempt;
  return (
    <article className="card">
      <header className="section-head">
        <h3>
          <Time at={attempt.created_at} /> <AttemptState of={attempt.state} />
        </h3>
        <Resend attempt={attempt} />
      </header>
      <Facts
        facts={[
          ...(hasLead ? [leadFact(attempt)] : []),
          ['HTTP status', http_status ?? '–'],
          ['Sent', attempt.tries === 1 ? 'once' : `${number(attempt.tries)} times`],
          ...(latency_ms === null ? [] : [['Took', `${number(latency_ms)} ms`] as const]),
          ...(settled_at === null ? [] : [['Settled', <Time key="at" at={settled_at} />] as const]),
          ...(reason === null ? [] : [['Reason', <code key="reason">{reason}</code>] as const]),
          ...(reference === null
            ? []
            : [['Your reference', <bdi key="reference">{reference}</bdi>] as const]),
          ...(due_at === null ? [] : [['Sent again', <Time key="due" at={due_at} />] as const]),
          ...(attempt.is_held ? [['Held', 'by the seller'] as const] : []),
        ]}
      />
      <details>
        <summary>Request and answer</summary>
        <Code label="Request: the fields that you see" text={requestText(attempt)} />
        {attempt.answer === null ? (
          <p className="muted">No answer came.</p>
        ) : (
          <Code label="The beginning of the answer" text={attempt.answer} />
        )}
      </details>
    </article>
  );
}

const leadFact = ({ lead_id, campaign }: Attempt) =>
  [
    'Lead',
    <span key="lead">
      <Link href={`/leads/${encodeURIComponent(lead_id)}`}>{shortId(lead_id)}</Link> ·{' '}
      <bdi>{campaign.name}</bdi>
    </span>,
  ] as const;

/** The values are there only where the buyer bought the lead. */
const requestText = ({ request }: Pick<Attempt, 'request'>): string =>
  JSON.stringify(Object.fromEntries(request.map(({ name, value }) => [name, value])), null, 2);

/** Sends a waiting delivery at once. The receiver may get it twice, so the person confirms first. */
function Resend({ attempt }: { attempt: Attempt }): ReactNode {
  const may = useCan('resend_delivery');
  const resend = useWrite('resend_delivery');
  const toast = useToast();
  const [isAsking, setIsAsking] = useState(false);
  if (!may || !attempt.can_resend) return null;
  const close = (): void => {
    setIsAsking(false);
    resend.reset();
  };
  const confirm = async (): Promise<void> => {
    const done = await resend.run({ lead_id: attempt.lead_id });
    if (!done) return;
    setIsAsking(false);
    toast(describeResult(done));
  };
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>
        Send again<span className="hidden"> lead {shortId(attempt.lead_id)}</span>
      </Button>
      <Confirm
        title="Send it again?"
        act="Send again"
        isOpen={isAsking}
        isBusy={resend.isRunning}
        onConfirm={() => void confirm()}
        onClose={close}
      >
        <p>
          The lead is sent to your endpoint now. If an earlier request did arrive, you get it twice,
          with the same idempotency key.
        </p>
        {resend.error && <ErrorState error={resend.error} />}
      </Confirm>
    </>
  );
}

function describeResult({ sent, busy }: OutputOf<'resend_delivery'>): string {
  if (sent > 0) return 'It is being sent again.';
  return busy > 0 ? 'It is just being sent.' : 'It no longer waits. Check its result.';
}
