import type { ReactNode } from 'react';
import { useFilters } from '../../lib/route.js';
import { usePages } from '../../lib/useActions.js';
import { EmptyState, Page, Paged } from '../../ui/index.js';
import { FilterBar, type FilterSpec } from '../../ui/data/index.js';
import { CAMPAIGN_FILTER } from '../recordFilters.js';
import { FunnelCard } from './funnelCard.js';
import { FUNNEL_OPTIONS, isStatus } from './words.js';
import './funnels.css';

type FilterName = 'status' | 'campaign_id';

const FILTERS: readonly FilterSpec<FilterName>[] = [
  { name: 'status', label: 'State', kind: 'choice', options: FUNNEL_OPTIONS, isPinned: true },
  { ...CAMPAIGN_FILTER, isPinned: true },
];
const NAMES = ['status', 'campaign_id'] as const;

/** Funnels with what they brought in 7 days, and where their visitors leave. */
export default function Funnels(): ReactNode {
  const [filters, change] = useFilters(NAMES);
  const { status, campaign_id } = filters;
  const input = {
    status: isStatus(status) ? status : undefined,
    campaign_id,
    stats: true,
    limit: 20,
  };
  const funnels = usePages('list_funnels', input);
  return (
    <Page
      title="Funnels"
      how={{ action: 'list_funnels', input }}
      intro="Hosted forms, with what they brought in the last 7 days, today included."
    >
      <div className="stack">
        <FilterBar filters={FILTERS} values={filters} onChange={change} />
        <Paged of={funnels}>
          {(list) =>
            list.length === 0 ? (
              <Nothing isLimited={status !== undefined || campaign_id !== undefined} />
            ) : (
              <ul className="funnel-cards">
                {list.map((funnel) => (
                  <li key={funnel.id}>
                    <FunnelCard funnel={funnel} />
                  </li>
                ))}
              </ul>
            )
          }
        </Paged>
      </div>
    </Page>
  );
}

const Nothing = ({ isLimited }: { isLimited: boolean }): ReactNode =>
  isLimited ? (
    <EmptyState title="Nothing matches">No funnel has these filters.</EmptyState>
  ) : (
    <EmptyState title="No funnels yet">
      Begin one from a template: <code>leadwire funnels create --template quiz</code>
    </EmptyState>
  );
