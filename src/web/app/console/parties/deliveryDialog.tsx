import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCan } from '../../lib/session.js';
import { useCall, useWrite, type OutputOf } from '../../lib/useActions.js';
import {
  Button,
  Code,
  Dialog,
  ErrorState,
  Facts,
  Loaded,
  Money,
  Table,
  Time,
  useToast,
  Written,
} from '../../ui/index.js';
import { DeliveryState } from './attempts.js';
import type { BuyerTabProps } from './words.js';
import { pathOf } from './words.js';

type Delivery = OutputOf<'get_delivery'>;

interface DeliveryDialogProps extends BuyerTabProps {
  /** Undefined: closed. */
  id: string | undefined;
  onClose(): void;
}

/** One delivery: its answers step by step, and what can be done about it. */
export function DeliveryDialog({ buyer, id, onClose }: DeliveryDialogProps): ReactNode {
  const delivery = useCall('get_delivery', { delivery_id: id ?? '' }, { isOff: id === undefined });
  return (
    <Dialog title="Delivery" isOpen={id !== undefined} onClose={onClose}>
      {id !== undefined && (
        <Loaded of={delivery}>
          {(loaded) => (
            <>
              <State delivery={loaded} />
              <Answer buyer={buyer} delivery={loaded} />
              <History delivery={loaded} />
              <Retry delivery={loaded} />
            </>
          )}
        </Loaded>
      )}
    </Dialog>
  );
}

interface OfDelivery {
  delivery: Delivery;
}

const State = ({ delivery }: OfDelivery): ReactNode => (
  <Facts
    facts={[
      ['State', <DeliveryState key="state" of={delivery.state} />],
      ['Why it waits', delivery.why],
      ['Next try', delivery.next_try_at && <Time at={delivery.next_try_at} />],
      ['Reason', delivery.reason && <Written>{delivery.reason}</Written>],
      ['Price', <Money key="price" amount={delivery.price} />],
      ["Buyer's reference", delivery.reference && <Written>{delivery.reference}</Written>],
      ['Tries', delivery.tries],
      [
        'Lead',
        <Link key="lead" href={`/leads/${delivery.lead_id}`}>
          {delivery.lead_id}
        </Link>,
      ],
    ]}
  />
);

function Answer({ buyer, delivery }: BuyerTabProps & OfDelivery): ReactNode {
  const mayTry = useCan('test_delivery');
  if (delivery.http_status === null && delivery.answer === null) return null;
  const tryPath = `${pathOf('buyer', buyer.id, 'delivery')}?answer=${encodeURIComponent(delivery.id)}`;
  return (
    <>
      <Code
        label={`Latest answer${delivery.http_status === null ? '' : `, HTTP ${delivery.http_status}`}`}
        text={delivery.answer ?? ''}
      />
      {mayTry && buyer.delivery.method === 'WEBHOOK' && (
        <p>
          <Link href={tryPath}>Check this answer against the response rules</Link>
        </p>
      )}
    </>
  );
}

const History = ({ delivery }: OfDelivery): ReactNode =>
  delivery.history && (
    <Table
      caption="Answers and commands"
      rows={delivery.history}
      rowKey={({ at, result, by }) => `${at} ${result} ${by ?? ''}`}
      empty={null}
      columns={[
        { header: 'At', cell: ({ at }) => <Time at={at} /> },
        { header: 'Result', cell: ({ result }) => result.replaceAll('_', ' ') },
        {
          header: 'Why',
          cell: ({ reason, note, by }) => (
            <Written>{[reason, note, by].filter(Boolean).join(' · ')}</Written>
          ),
        },
        { header: 'HTTP', cell: ({ http_status }) => http_status, isNumber: true },
      ]}
    />
  );

function Retry({ delivery }: OfDelivery): ReactNode {
  const may = useCan('retry_deliveries');
  const retry = useWrite('retry_deliveries');
  const toast = useToast();
  const can = delivery.can.find(({ action }) => action === 'retry_deliveries');
  if (!may || !can) return null;
  const send = async (): Promise<void> => {
    if (await retry.run({ delivery_ids: [delivery.id] })) toast('The delivery is sent now.');
  };
  return (
    <>
      {retry.error && <ErrorState error={retry.error} />}
      <p className="muted">{can.text}</p>
      <div className="actions">
        <Button kind="primary" isBusy={retry.isRunning} onClick={() => void send()}>
          Send now
        </Button>
      </div>
    </>
  );
}
