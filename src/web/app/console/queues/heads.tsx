import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useFormats } from '../../lib/format.js';
import { useCan } from '../../lib/session.js';
import { Button, Chip, IconButton, Menu, Table, Time, Written } from '../../ui/index.js';
import type { QueueCommand } from './commandDialog.js';
import type { WholeCommand } from './queueDialog.js';
import { ACT_WORDS } from '../bulk/deliveryWords.js';
import { BREAKER_WORDS, type QueueHead } from './words.js';

interface HeadsProps {
  heads: readonly QueueHead[];
  /** The buyer that the list is limited to. */
  buyerId: string | undefined;
  onWhole(command: WholeCommand): void;
  onUnknown(command: QueueCommand): void;
}

/** The queue of each buyer that needs an operator: whether it is sent to, how much waits and since when. */
export function Heads({ heads, buyerId, onWhole, onUnknown }: HeadsProps): ReactNode {
  const { number } = useFormats();
  const mayCommand = useCan('retry_deliveries');
  return (
    <Table
      caption="Queues by buyer"
      rows={heads}
      rowKey={({ id }) => id}
      empty={null}
      columns={[
        {
          header: 'Buyer',
          cell: ({ id, name }) => (
            <Link
              href={id === buyerId ? '/queues' : `/queues?buyer_id=${encodeURIComponent(id)}`}
              aria-current={id === buyerId ? 'true' : undefined}
            >
              <Written>{name}</Written>
            </Link>
          ),
        },
        { header: 'State', cell: (head) => <HeadState head={head} /> },
        { header: 'To send', isNumber: true, cell: ({ waiting }) => number(waiting) },
        { header: 'Held', isNumber: true, cell: ({ held }) => number(held) },
        {
          header: 'Unanswered',
          isNumber: true,
          cell: ({ id, unknown }) =>
            unknown === 0 ? (
              0
            ) : (
              <Link href={`/queues?state=unknown&buyer_id=${encodeURIComponent(id)}`}>
                {number(unknown)}
              </Link>
            ),
        },
        { header: 'Oldest', cell: ({ oldest_at }) => <Time at={oldest_at} isRelative /> },
        { header: 'Next try', cell: ({ next_at }) => <Time at={next_at} isRelative /> },
        ...(mayCommand
          ? [
              {
                header: 'Actions',
                cell: (head: QueueHead) => (
                  <HeadActs head={head} onWhole={onWhole} onUnknown={onUnknown} />
                ),
              },
            ]
          : []),
      ]}
    />
  );
}

function HeadState({ head }: { head: QueueHead }): ReactNode {
  if (head.queue_held) return <Chip tone="warning">Held by an operator</Chip>;
  if (head.status === 'paused') return <Chip tone="warning">Buyer paused</Chip>;
  const { breaker, open_until } = head;
  if (breaker === 'closed' && open_until === null) return <Chip tone="good">Sending</Chip>;
  const [text, tone] = BREAKER_WORDS[breaker];
  return (
    <span className="queue-acts">
      <Chip tone={tone}>{text}</Chip>
      {open_until !== null && (
        <span className="muted">
          ends <Time at={open_until} isRelative />
        </span>
      )}
    </span>
  );
}

interface HeadActsProps extends Pick<HeadsProps, 'onWhole' | 'onUnknown'> {
  head: QueueHead;
}

function HeadActs({ head, onWhole, onUnknown }: HeadActsProps): ReactNode {
  const { id, name, waiting, unknown, queue_held } = head;
  const whole = (act: WholeCommand['act']) => () => onWhole({ act, heads: [head] });
  const settle = (act: 'accepted' | 'rejected') => () =>
    onUnknown({ act, of: { filter: { buyer_id: id } } });
  return (
    <div className="queue-acts">
      {(waiting > 0 || queue_held) && (
        <Button kind="quiet" onClick={whole('retry')}>
          {queue_held ? 'Release' : 'Resend all'}
          <span className="hidden"> for {name}</span>
        </Button>
      )}
      <Menu
        trigger={<IconButton icon={Ellipsis} label={`More for ${name}`} />}
        items={[
          ...(queue_held ? [] : [{ label: ACT_WORDS.hold.whole, run: whole('hold') }]),
          ...(unknown > 0
            ? [
                { label: ACT_WORDS.accepted.whole, run: settle('accepted') },
                { label: ACT_WORDS.rejected.whole, run: settle('rejected') },
              ]
            : []),
          ...(waiting + unknown > 0
            ? [{ label: ACT_WORDS.drop.whole, isDanger: true, run: whole('drop') }]
            : []),
          { label: 'Open buyer', href: `/buyers/${id}` },
        ]}
      />
    </div>
  );
}
