import type { ReactNode } from 'react';
import { useFormats } from '../lib/format.js';
import { useCan } from '../lib/session.js';
import { useWrite, type Attempt, type OutputOf } from './calls.js';
import { Code, Confirmed, Facts, Time, Timeline } from '../ui/index.js';
import { ShortLead, shortId } from './leadLink.js';
import { AttemptState, toneOfAttempt } from './words.js';

interface AttemptsProps {
  attempts: readonly Attempt[];
  /** In a list over several leads: shows the lead of each delivery. */
  hasLead?: boolean;
}

/** Deliveries, one line each: the result, and behind it the request and the response. */
export function AttemptList({ attempts, hasLead = false }: AttemptsProps): ReactNode {
  const { number } = useFormats();
  return (
    <Timeline
      label="Deliveries"
      items={attempts.map((attempt) => {
        const { http_status, latency_ms, reason } = attempt;
        return {
          id: attempt.id,
          at: attempt.created_at,
          tone: toneOfAttempt(attempt.state),
          title: (
            <>
              <AttemptState of={attempt.state} /> {hasLead && <LeadName attempt={attempt} />}
              {reason !== null && <code>{reason}</code>}
            </>
          ),
          detail: [
            http_status !== null && `HTTP ${http_status}`,
            latency_ms !== null && `${number(latency_ms)} ms`,
          ]
            .filter((one) => one !== false)
            .join(' · '),
          children: <AttemptDetails attempt={attempt} hasLead={hasLead} />,
        };
      })}
    />
  );
}

interface AttemptProps {
  attempt: Attempt;
  hasLead?: boolean;
}

function AttemptDetails({ attempt, hasLead = false }: AttemptProps): ReactNode {
  const { number } = useFormats();
  const { reference, settled_at, due_at } = attempt;
  return (
    <div className="stack">
      <Facts
        facts={[
          ['Lead', hasLead && <LeadOf attempt={attempt} />],
          ['Sent', attempt.tries === 1 ? 'once' : `${number(attempt.tries)} times`],
          ['Completed', settled_at && <Time at={settled_at} />],
          ['Your reference', reference !== null && <bdi>{reference}</bdi>],
          ['Next attempt', due_at && <Time at={due_at} />],
          ['On hold', attempt.is_held && 'by the seller'],
        ]}
      />
      <Resend attempt={attempt} />
      <Code label="Request (fields shown to you)" text={requestOf(attempt)} />
      {attempt.answer === null ? (
        <p className="muted">No response received.</p>
      ) : (
        <Code label="Response (beginning)" text={attempt.answer} />
      )}
    </div>
  );
}

const LeadName = ({ attempt: { lead_id } }: AttemptProps): ReactNode => (
  <span className="muted">{shortId(lead_id)} </span>
);

const LeadOf = ({ attempt: { lead_id, campaign } }: AttemptProps): ReactNode => (
  <>
    <ShortLead id={lead_id} /> · <bdi>{campaign.name}</bdi>
  </>
);

/** The values are there only where the buyer bought the lead. */
const requestOf = ({ request }: Attempt): object =>
  Object.fromEntries(request.map(({ name, value }) => [name, value]));

/** Sends a waiting delivery at once. The receiver may get it twice, so the person confirms first. */
function Resend({ attempt }: { attempt: Attempt }): ReactNode {
  const may = useCan('resend_delivery');
  const resend = useWrite('resend_delivery');
  if (!may || !attempt.can_resend) return null;
  return (
    <Confirmed
      button="Resend"
      label={`Resend lead ${shortId(attempt.lead_id)}`}
      title="Resend this lead?"
      act="Resend"
      write={resend}
      run={() => resend.run({ lead_id: attempt.lead_id })}
      describe={describeResult}
    >
      <p>
        The lead is sent to your endpoint now. If an earlier request did arrive, you receive it
        twice, with the same idempotency key.
      </p>
    </Confirmed>
  );
}

function describeResult({ sent, busy }: OutputOf<'resend_delivery'>): string {
  if (sent > 0) return 'Resending now.';
  return busy > 0 ? 'It is already being sent.' : 'It is no longer waiting. Check its result.';
}
