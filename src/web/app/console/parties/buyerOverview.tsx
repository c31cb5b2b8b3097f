import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useFormats } from '../../lib/format.js';
import { useCan } from '../../lib/session.js';
import { useCall, type OutputOf } from '../../lib/useActions.js';
import { Facts, Loaded, Section, Tile, Written } from '../../ui/index.js';
import { AttemptTable } from './attempts.js';
import type { BuyerTabProps } from './words.js';
import { BuyerNotices } from './buyerNotices.js';
import { MoneyByDay } from './moneyByDay.js';
import { pathOf } from './words.js';

type Health = OutputOf<'get_buyer_health'>;

/** What needs an operator, how the buyer answers, its money by day, and its last attempts. */
export default function BuyerOverview({ buyer }: BuyerTabProps): ReactNode {
  const health = useCall('get_buyer_health', { buyer_id: buyer.id }, { refreshSeconds: 30 });
  return (
    <>
      {health.data && <BuyerNotices buyer={buyer} health={health.data} />}
      <MoneyByDay party={{ buyer_id: buyer.id }}>
        {health.data && <HealthTiles health={health.data} />}
      </MoneyByDay>
      {health.error && <Loaded of={health}>{() => null}</Loaded>}
      <LastAttempts buyer={buyer} />
      <Section title="Contact">
        <Facts
          facts={[
            ['Email', buyer.email && <Written>{buyer.email}</Written>],
            ['Phone', buyer.phone && <Written>{buyer.phone}</Written>],
            ['Location', buyer.location && <Written>{buyer.location}</Written>],
            ['ID', <code key="id">{buyer.id}</code>],
          ]}
        />
      </Section>
    </>
  );
}

/** Of the last day. */
function HealthTiles({ health }: { health: Health }): ReactNode {
  const { percent, number } = useFormats();
  const answered = health.accepted + health.rejected + health.failed + health.unanswered;
  const failed = health.failed + health.unanswered;
  return (
    <>
      <Tile
        label="Accepted, 24 hours"
        value={answered === 0 ? '–' : percent(health.accepted / answered)}
        hint={
          answered === 0
            ? 'No deliveries'
            : `${number(health.rejected)} rejected, ${number(failed)} failed`
        }
      />
      <Tile
        label="Response time, 95 %"
        value={health.p95_ms === null ? '–' : `${number(health.p95_ms)} ms`}
        hint={health.p50_ms === null ? 'Nothing measured' : `${number(health.p50_ms)} ms usually`}
      />
    </>
  );
}

function LastAttempts({ buyer }: BuyerTabProps): ReactNode {
  const may = useCan('list_deliveries');
  const attempts = useCall(
    'list_deliveries',
    { buyer_id: buyer.id, state: 'done', limit: 10 },
    { isOff: !may, refreshSeconds: 30 },
  );
  if (!may) return null;
  return (
    <Section
      title="Last deliveries"
      actions={<Link href={pathOf('buyer', buyer.id, 'deliveries')}>All deliveries</Link>}
    >
      <Loaded of={attempts} shape="table">
        {(rows) => <AttemptTable buyerId={buyer.id} rows={rows} />}
      </Loaded>
    </Section>
  );
}
