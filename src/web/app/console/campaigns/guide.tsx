/** How suppliers post to a campaign: the guide that each of them gets. */
import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { useFilters } from '../../lib/route.js';
import { useCall } from '../../lib/useActions.js';
import { GuideParts } from '../../supplier/guideParts.js';
import { Filter, Loaded } from '../../ui/index.js';
import { CampaignFrame, type Campaign } from './frame.js';

export default function CampaignGuide(): ReactNode {
  const { id } = useParams<{ id: string }>();
  return (
    <CampaignFrame id={id} how={{ action: 'get_campaign_api_spec', input: { campaign_id: id } }}>
      {(campaign) => <Guide campaign={campaign} />}
    </CampaignFrame>
  );
}

function Guide({ campaign: { id, suppliers } }: { campaign: Campaign }): ReactNode {
  const [filters, change] = useFilters(['supplier_id']);
  const supplier_id = suppliers.some((one) => one.supplier_id === filters.supplier_id)
    ? filters.supplier_id
    : suppliers[0]?.supplier_id;
  const input = { campaign_id: id, supplier_id };
  const data = useCall('get_campaign_api_spec', input);
  const text = useCall('get_campaign_api_spec', { ...input, format: 'markdown' });
  return (
    <>
      {suppliers.length > 0 ? (
        <div className="guide-supplier">
          <Filter
            label="Supplier"
            name="supplier_id"
            options={suppliers.map((one) => ({ value: one.supplier_id, label: one.name }))}
            filters={{ supplier_id }}
            onChange={change}
          />
        </div>
      ) : (
        <p className="muted">The campaign has no supplier yet: the ids are placeholders.</p>
      )}
      <Loaded of={data}>
        {({ guide }) =>
          guide && (
            <GuideParts key={supplier_id} guide={guide} markdown={text.data?.markdown ?? ''} />
          )
        }
      </Loaded>
    </>
  );
}
