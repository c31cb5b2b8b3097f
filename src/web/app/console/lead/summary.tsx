import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCall } from '../../lib/useActions.js';
import { Facts, Loaded, Money, Time } from '../../ui/index.js';
import { Headline } from './headline.js';
import './lead.css';
import { emailOf, phoneOf, phoneText, shown } from './person.js';
import { LeadStatus, Verdict, type Explanation, type Lead } from './words.js';

/** A lead beside a list: why it went where it went, its money, and the result with each buyer. */
export function LeadSummary({ leadId }: { leadId: string }): ReactNode {
  const lead = useCall('get_lead', { lead_id: leadId });
  const explanation = useCall('explain_lead', { lead_id: leadId });
  return (
    <Loaded of={lead}>
      {(data) => (
        <div className="stack">
          <Loaded of={explanation}>{(why) => <Headline lead={data} why={why} />}</Loaded>
          <SummaryFacts lead={data} />
          <Loaded of={explanation}>{(why) => <Buyers why={why} />}</Loaded>
          <div className="actions">
            <Link className="button primary" href={`/leads/${leadId}`}>
              Open the lead
            </Link>
            <Link className="button" href={`/leads/${leadId}?tab=attempts`}>
              Attempts
            </Link>
          </div>
        </div>
      )}
    </Loaded>
  );
}

function SummaryFacts({ lead }: { lead: Lead }): ReactNode {
  const [phone, email] = [phoneOf(lead), emailOf(lead)];
  return (
    <Facts
      facts={[
        ['Status', <LeadStatus of={lead.status} />],
        ['Phone', phone !== '' && <a href={`tel:${phone}`}>{phoneText(phone)}</a>],
        [
          'Email',
          email !== '' && (
            <a className="written" href={`mailto:${email}`}>
              {email}
            </a>
          ),
        ],
        ['Received', <Time at={lead.created_at} />],
        ['Campaign', <bdi>{lead.campaign_name ?? '–'}</bdi>],
        ['Supplier', <bdi>{lead.supplier_name ?? '–'}</bdi>],
        ['Revenue', <Money amount={lead.revenue} />],
        ['Cost', <Money amount={lead.cost} />],
        ['Profit', <Money amount={lead.profit} />],
      ]}
    />
  );
}

/** So many buyers are shown; the page of the lead has all. */
const SHOWN_MAX = 6;

function Buyers({ why: { buyers } }: { why: Explanation }): ReactNode {
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
