import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCan } from '../../lib/session.js';
import { useCall } from '../../lib/useActions.js';
import { Facts, Notice, Section, Time, Written } from '../../ui/index.js';
import { capName, useCaps } from './capLines.js';
import { MoneyByDay } from './moneyByDay.js';
import type { SupplierTabProps } from './words.js';
import { isPaused, pathOf } from './words.js';

/** What needs an operator, and the supplier's leads and money by day. */
export default function SupplierOverview({ supplier }: SupplierTabProps): ReactNode {
  return (
    <>
      <div className="notices">
        <Silence supplier={supplier} />
        {isPaused(supplier) && (
          <Notice tone="neutral" title="Paused: the leads of this supplier are refused" />
        )}
        {supplier.campaigns.length === 0 && (
          <Notice
            tone="info"
            title="It sends leads to no campaign yet"
            action={<Link href="/campaigns">Choose a campaign</Link>}
          />
        )}
        <FullCaps supplier={supplier} />
      </div>
      <MoneyByDay party={{ supplier_id: supplier.id }} />
      <Section title="Details">
        <Facts
          facts={[
            ['Created', <Time key="created" at={supplier.created_at} isDay />],
            ['ID', <code key="id">{supplier.id}</code>],
          ]}
        />
      </Section>
    </>
  );
}

/** Its row of the list says whether it is silent. */
function Silence({ supplier }: SupplierTabProps): ReactNode {
  const figures = useCan('get_lead_stats');
  const rows = useCall(
    'list_suppliers',
    { search: supplier.name, figures: true, limit: 50 },
    { isOff: !figures },
  );
  const since = rows.data?.find(({ id }) => id === supplier.id)?.figures?.silent_since;
  if (since == null) return null;
  return (
    <Notice
      tone="warning"
      title={
        <>
          Silent: the last lead came <Time at={since} isRelative />
        </>
      }
      action={<Link href={pathOf('supplier', supplier.id, 'keys')}>Check its keys</Link>}
    >
      <p>No lead came for three times its usual gap.</p>
    </Notice>
  );
}

function FullCaps({ supplier }: SupplierTabProps): ReactNode {
  const caps = useCaps({ supplier_id: supplier.id });
  const full = caps.data?.filter(({ used, limit }) => used >= limit) ?? [];
  return full.map((cap) => (
    <Notice
      key={`${cap.campaign_id} ${capName(cap)}`}
      tone="warning"
      title={
        <>
          {capName(cap)} reached in <Written>{cap.campaign_name ?? 'a deleted campaign'}</Written>
        </>
      }
      action={
        <Link href={`/campaigns/${cap.campaign_id}/suppliers?supplier=${supplier.id}`}>
          Change the cap
        </Link>
      }
    >
      {cap.resets_at !== null && (
        <p>
          It resets <Time at={cap.resets_at} isRelative />.
        </p>
      )}
    </Notice>
  ));
}
