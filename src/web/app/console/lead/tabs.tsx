import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useFilters } from '../../lib/route.js';
import type { Lead } from './words.js';

export const TABS = [
  { id: 'way', label: 'Timeline' },
  { id: 'attempts', label: 'Attempts' },
  { id: 'sales', label: 'Sales and returns' },
  { id: 'data', label: 'Data' },
] as const;
export type LeadTab = (typeof TABS)[number]['id'];

/** The parts of the page; each has an address. */
export function LeadTabs({ lead }: { lead: Lead }): ReactNode {
  const [{ tab = 'way' }] = useFilters(['tab'] as const);
  return (
    <nav className="tabs" aria-label="Parts">
      <ul>
        {TABS.map(({ id, label }) => (
          <li key={id}>
            <Link
              href={`/leads/${lead.id}${id === 'way' ? '' : `?tab=${id}`}`}
              aria-current={tab === id ? 'page' : undefined}
            >
              {label}
              {id === 'sales' && lead.sales.length > 0 && (
                <span className="nav-count">{lead.sales.length}</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
