import { useState, type ReactNode } from 'react';
import { useFilters } from '../../lib/route.js';
import { useCan } from '../../lib/session.js';
import { useCall } from '../../lib/useActions.js';
import { Button, Loaded, Notice, Page, Section } from '../../ui/index.js';
import { useReadAgain } from '../bulk/useStep.js';
import { CommandDialog, type QueueCommand } from './commandDialog.js';
import { Deliveries, deliveriesInput } from './deliveries.js';
import { Heads } from './heads.js';
import { QueueDialog, type WholeCommand } from './queueDialog.js';
import './queues.css';

/** Buyers whose queue is shown; with more, the longest may be behind them. */
const HEADS_MAX = 100;
const POLL_SECONDS = 20;

/** What waits for buyers and why, what was never answered, and the commands that mend it. */
export default function Queues(): ReactNode {
  const [filters, change] = useFilters(FILTER_NAMES);
  const [whole, setWhole] = useState<WholeCommand | null>(null);
  const [command, setCommand] = useState<QueueCommand | null>(null);
  const readAgain = useReadAgain();
  const mayCommand = useCan('retry_deliveries');
  const heads = useCall(
    'list_buyer_health',
    { waiting: true, figures: false, limit: HEADS_MAX },
    { refreshSeconds: POLL_SECONDS, isOff: !useCan('list_buyer_health') },
  );
  const queued = (heads.data ?? []).filter(({ waiting }) => waiting > 0);
  return (
    <Page
      title="Queues"
      how={{ action: 'list_deliveries', input: deliveriesInput(filters) }}
      intro="Deliveries that wait for buyers, and those that were never answered."
      actions={
        mayCommand &&
        queued.length > 1 && (
          <Button onClick={() => setWhole({ act: 'retry', heads: queued })}>
            Resend all queues
          </Button>
        )
      }
    >
      <Loaded of={heads}>
        {(list) =>
          list.length > 0 && (
            <Section title="Buyers">
              <Heads
                heads={[...list].sort(byNeed)}
                buyerId={filters.buyer_id}
                onWhole={setWhole}
                onUnknown={setCommand}
              />
              {list.length === HEADS_MAX && (
                <Notice tone="info" title={`The first ${HEADS_MAX} buyers with a queue are shown`}>
                  Name another one in the filter below.
                </Notice>
              )}
            </Section>
          )
        }
      </Loaded>
      <Section title="Deliveries">
        <Deliveries filters={filters} onFilter={change} onCommand={setCommand} />
      </Section>
      {whole && <QueueDialog command={whole} onClose={() => setWhole(null)} onDone={readAgain} />}
      {command && (
        <CommandDialog command={command} onClose={() => setCommand(null)} onDone={readAgain} />
      )}
    </Page>
  );
}

const FILTER_NAMES = ['state', 'buyer_id', 'campaign_id', 'supplier_id', 'delivery'] as const;

interface Need {
  breaker: string;
  queue_held: boolean;
  waiting: number;
  unknown: number;
}

/** Buyers that are not sent to come first, then the longest queue. */
function byNeed(a: Need, b: Need): number {
  const stopped = ({ breaker, queue_held }: Need) => Number(breaker !== 'closed' || queue_held);
  return stopped(b) - stopped(a) || b.waiting + b.unknown - (a.waiting + a.unknown);
}
