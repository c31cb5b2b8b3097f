import { Circle, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCan } from '../../lib/session.js';
import { useCall, type OutputOf } from '../../lib/useActions.js';
import { Section } from '../../ui/index.js';

type Step = OutputOf<'get_onboarding_status'>['steps'][number];

/** What is missing before leads can flow: of the account, then of its first campaign that is not ready. */
export function FirstSteps(): ReactNode {
  const isOff = !useCan('get_onboarding_status');
  const { data } = useCall('get_onboarding_status', {}, { isOff });
  const [first] = data?.campaigns ?? [];
  const { data: ofCampaign } = useCall(
    'get_onboarding_status',
    { campaign_id: first?.id },
    { isOff: isOff || !first },
  );
  if (!data || data.ready) return null;
  const steps = [...data.steps, ...((first && ofCampaign?.steps) ?? [])];
  const done = steps.filter((step) => step.done).length;
  return (
    <Section title="First steps">
      <div className="card stack">
        <p>
          {first ? (
            <>
              <bdi>{first.name}</bdi> does not accept live leads yet:
            </>
          ) : (
            'No campaign accepts live leads yet:'
          )}{' '}
          {done} of {steps.length} steps are done.
        </p>
        <ol className="steps">
          {steps.map((step) => (
            <StepLine key={step.id} step={step} campaignId={first?.id} />
          ))}
        </ol>
      </div>
    </Section>
  );
}

function StepLine({ step, campaignId }: { step: Step; campaignId?: string }): ReactNode {
  const { id, title, done, required, detail } = step;
  const Icon = done ? CircleCheck : Circle;
  return (
    <li>
      <span className={done ? 'good' : 'muted'}>
        <Icon size={16} aria-hidden />
        <span className="hidden">{done ? 'Done:' : 'Missing:'}</span>
      </span>
      <span className="attention-text">
        {done ? title : <Link href={placeOf(id, campaignId)}>{title}</Link>}
        {!done && (
          <span className="muted">
            {detail}
            {!required && ' This is advice.'}
          </span>
        )}
      </span>
    </li>
  );
}

/** The screen on which a step is done. */
function placeOf(stepId: string, campaignId: string | undefined): string {
  if (stepId === 'buyer') return '/buyers';
  if (stepId === 'supplier') return '/suppliers';
  return campaignId === undefined ? '/campaigns' : `/campaigns/${campaignId}`;
}
