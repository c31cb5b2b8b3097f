import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCan } from '../../lib/session.js';
import { useCall } from '../../lib/useActions.js';
import { Copied, Facts, Loaded, Money, Section, Time, WordBadge } from '../../ui/index.js';
import { SidePanel } from '../../ui/data/index.js';
import { phoneText, shown } from '../lead/person.js';
import { Verdict, type Explanation, type Lead } from '../lead/words.js';
import '../lead/lead.css';
import { reasonText, STATUS_WORDS } from './words.js';

interface LeadPanelProps {
  leadId: string;
  onClose(): void;
}

/** What one asks of a lead first, beside the list. */
export function LeadPanel({ leadId, onClose }: LeadPanelProps): ReactNode {
  const lead = useCall('get_lead', { lead_id: leadId });
  return (
    <SidePanel
      title={<bdi>{lead.data?.name ?? 'Lead'}</bdi>}
      name="Lead"
      href={`/leads/${encodeURIComponent(leadId)}`}
      onClose={onClose}
    >
      <Loaded of={lead} shape="lines">
        {(data) => <Essentials lead={data} />}
      </Loaded>
    </SidePanel>
  );
}

function Essentials({ lead }: { lead: Lead }): ReactNode {
  const canExplain = useCan('explain_lead');
  return (
    <>
      <div className="actions">
        <WordBadge of={STATUS_WORDS[lead.status]} />
        <span className="muted">{reasonText(lead)}</span>
      </div>
      {canExplain && <Why leadId={lead.id} />}
      <Facts
        facts={[
          ['Received', <Time at={lead.created_at} />],
          ['Phone', lead.phone && <a href={`tel:${lead.phone}`}>{phoneText(lead.phone)}</a>],
          ['Email', lead.email && <a href={`mailto:${lead.email}`}>{lead.email}</a>],
          [
            'Campaign',
            <PartyLink to="campaigns" id={lead.campaign_id} name={lead.campaign_name} />,
          ],
          [
            'Supplier',
            <PartyLink to="suppliers" id={lead.supplier_id} name={lead.supplier_name} />,
          ],
          [
            'Buyer',
            lead.buyer_id && <PartyLink to="buyers" id={lead.buyer_id} name={lead.buyer_name} />,
          ],
          ['Revenue', lead.sales.length > 0 && <Money amount={lead.revenue} />],
          ['Cost', lead.sales.length > 0 && <Money amount={lead.cost} />],
          ['Lead ID', <Copied text={lead.id} of="the lead ID" />],
        ]}
      />
      <Fields fields={lead.fields} />
    </>
  );
}

/** Why it is where it is in a sentence, and the result with each buyer. */
function Why({ leadId }: { leadId: string }): ReactNode {
  const why = useCall('explain_lead', { lead_id: leadId });
  return (
    <Loaded of={why}>
      {(data) => (
        <>
          <p className="lead-why">{data.headline}</p>
          <Buyers why={data} />
        </>
      )}
    </Loaded>
  );
}

/** So many buyers are shown; the page of the lead has all. */
const SHOWN_MAX = 6;

function Buyers({ why: { buyers } }: { why: Explanation }): ReactNode {
  if (buyers.length === 0) return null;
  return (
    <ul className="lead-buyers">
      {buyers.slice(0, SHOWN_MAX).map(({ buyer_id, name, verdict, text, short }) => (
        <li key={buyer_id}>
          <div className="lead-buyer">
            <bdi>{name}</bdi> <Verdict of={verdict} />
          </div>
          <bdi className="muted written">{shown(text) ?? short}</bdi>
        </li>
      ))}
      {buyers.length > SHOWN_MAX && (
        <li className="muted">{buyers.length - SHOWN_MAX} more on its page</li>
      )}
    </ul>
  );
}

interface PartyLinkProps {
  to: 'campaigns' | 'suppliers' | 'buyers';
  id: string;
  /** Null: it is deleted. */
  name: string | null;
}

const PartyLink = ({ to, id, name }: PartyLinkProps): ReactNode =>
  name === null ? (
    <span className="muted">deleted ({id.slice(0, 8)})</span>
  ) : (
    <Link href={`/${to}/${encodeURIComponent(id)}`}>
      <bdi>{name}</bdi>
    </Link>
  );

/** Null for a role that sees no people. */
function Fields({ fields }: { fields: Lead['fields'] | null }): ReactNode {
  const rows = Object.entries(fields ?? {});
  if (rows.length === 0) return null;
  return (
    <Section title="Fields">
      <Facts facts={rows.map(([name, value]) => [name, <bdi dir="auto">{String(value)}</bdi>])} />
    </Section>
  );
}
