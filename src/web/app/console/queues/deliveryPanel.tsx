import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCan } from '../../lib/session.js';
import { useCall, type OutputOf } from '../../lib/useActions.js';
import {
  Button,
  Facts,
  Loaded,
  Money,
  Notice,
  Section,
  Time,
  Written,
  type Fact,
} from '../../ui/index.js';
import { SidePanel } from '../../ui/data/index.js';
import { LeadName, Name } from '../names.js';
import type { QueueCommand } from './commandDialog.js';
import { DeliveryState } from './deliveryColumns.js';
import { ACT_WORDS, type QueueAct } from '../bulk/deliveryWords.js';

type Delivery = OutputOf<'get_delivery'>;

interface DeliveryPanelProps {
  id: string;
  onClose(): void;
  onCommand(command: QueueCommand): void;
}

/** One delivery: why it waits, what was sent and answered, and what can be done. */
export function DeliveryPanel({ id, onClose, onCommand }: DeliveryPanelProps): ReactNode {
  const delivery = useCall('get_delivery', { delivery_id: id });
  const { data } = delivery;
  return (
    <SidePanel
      title={data ? <LeadName {...data} /> : 'Delivery'}
      name="Delivery"
      href={data ? `/leads/${data.lead_id}` : undefined}
      onClose={onClose}
    >
      <Loaded of={delivery}>{(one) => <Detail one={one} onCommand={onCommand} />}</Loaded>
    </SidePanel>
  );
}

interface DetailProps {
  one: Delivery;
  onCommand(command: QueueCommand): void;
}

function Detail({ one, onCommand }: DetailProps): ReactNode {
  return (
    <div className="stack">
      {one.state === 'unknown' ? <Unanswered one={one} /> : one.why !== null && <p>{one.why}</p>}
      <Acts one={one} onCommand={onCommand} />
      <Facts facts={factsOf(one)} />
      {one.history !== null && one.history.length > 0 && (
        <Section title="What happened">
          <ol className="queue-history">
            {one.history.map((step, nth) => (
              <li key={nth}>
                <Time at={step.at} /> <strong>{RESULT_WORDS[step.result] ?? step.result}</strong>
                {step.http_status !== null && <span> · HTTP {step.http_status}</span>}
                {step.latency_ms !== null && <span> · {step.latency_ms} ms</span>}
                {step.reason !== null && (
                  <>
                    {' · '}
                    <Written>{step.reason}</Written>
                  </>
                )}
                {step.by !== null && (
                  <span className="muted">
                    {' '}
                    by <Written>{step.by}</Written>
                  </span>
                )}
                {step.note !== null && (
                  <p>
                    <Written>{step.note}</Written>
                  </p>
                )}
              </li>
            ))}
          </ol>
        </Section>
      )}
      {one.answer !== null && (
        <Section title="Latest answer">
          <pre className="queue-answer" dir="auto" tabIndex={0}>
            {one.answer}
          </pre>
        </Section>
      )}
    </div>
  );
}

/** Only the buyer knows whether it has the lead. */
const Unanswered = ({ one }: { one: Delivery }): ReactNode => (
  <Notice tone="bad" title="The buyer may have this lead">
    It was sent{one.tries > 1 ? ` ${one.tries} times` : ''}, and no answer came. Ask{' '}
    <Name of={one.buyer_name} /> for{' '}
    {one.reference === null ? (
      <>
        lead <code>{one.lead_id}</code>
      </>
    ) : (
      <Written>{one.reference}</Written>
    )}
    , then say below whether it was accepted. Until then it is sent to no other buyer
    {one.expires_at !== null && (
      <>
        ; its waiting ends <Time at={one.expires_at} />
      </>
    )}
    . <Link href={`/leads/${one.lead_id}`}>See what was sent</Link>
  </Notice>
);

const RESULT_WORDS: Readonly<Record<string, string>> = {
  accepted: 'Accepted',
  rejected: 'Rejected',
  not_taken: 'Not reached',
  unknown: 'No answer',
  retried: 'Sent again by an operator',
  held: 'Held',
  dropped: 'Dropped',
  resolved: 'Decided',
};

const ACTS_OF: Readonly<Record<string, readonly QueueAct[]>> = {
  retry_deliveries: ['retry'],
  hold_deliveries: ['hold'],
  drop_deliveries: ['drop'],
  resolve_delivery: ['accepted', 'rejected'],
};

function Acts({ one, onCommand }: DetailProps): ReactNode {
  const mayCommand = useCan('retry_deliveries');
  const acts = one.can.flatMap(({ action }) => ACTS_OF[action] ?? []);
  if (!mayCommand || acts.length === 0) return null;
  return (
    <div className="actions">
      {acts.map((act, nth) => (
        <Button
          key={act}
          kind={nth === 0 ? 'primary' : act === 'drop' ? 'danger' : 'secondary'}
          onClick={() => onCommand({ act, of: { ids: [one.id] } })}
        >
          {ACT_WORDS[act].button}
        </Button>
      ))}
    </div>
  );
}

const factsOf = (one: Delivery): Fact[] => [
  ['State', <DeliveryState state={one.state} />],
  ['Buyer', <Name of={one.buyer_name} />],
  ['Campaign', <Name of={one.campaign_name} />],
  ['Supplier', <Name of={one.supplier_name} />],
  ['Price', <Money amount={one.price} />],
  ['Opened', <Time at={one.created_at} />],
  ['Sent', one.tries === 0 ? 'Not yet' : `${one.tries} ${one.tries === 1 ? 'time' : 'times'}`],
  ['Next try', <Time at={one.next_try_at} />],
  ['Waiting ends', <Time at={one.expires_at} />],
  ['Delivery ID', <code>{one.id}</code>],
];
