import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Copied, Facts, Money, Time, Written, type Fact } from '../../ui/index.js';
import { emailOf, fieldsOf, labelOf, phoneOf, phoneText, shortId, titleOf } from './person.js';
import { LeadStatus, type Lead } from './words.js';

interface AsideProps {
  lead: Lead;
  isMasked: boolean;
  currency: string;
}

/** What stays in sight: who it is, the money, and where it belongs. */
export function Aside({ lead, isMasked, currency }: AsideProps): ReactNode {
  return (
    <aside className="lead-aside" aria-label="Facts">
      <Person lead={lead} isMasked={isMasked} />
      <section className="card">
        <h2>Money ({currency})</h2>
        <Facts
          facts={[
            ['Revenue', <Money amount={lead.revenue} />],
            ['Cost', <Money amount={lead.cost} />],
            ['Profit', <Money amount={lead.profit} />],
          ]}
        />
      </section>
      <section className="card">
        <h2>Lead</h2>
        <Facts facts={factsOf(lead)} />
      </section>
      <Related lead={lead} />
    </aside>
  );
}

function factsOf(lead: Lead): Fact[] {
  const campaign = `/campaigns/${lead.campaign_id}`;
  return [
    ['ID', <Copied text={lead.id} of="the lead ID" />],
    [
      'Campaign',
      <Link href={campaign}>
        <bdi>{lead.campaign_name ?? shortId(lead.campaign_id)}</bdi>
      </Link>,
    ],
    ['Version', <Link href={`${campaign}/versions`}>{lead.plan_version}</Link>],
    [
      'Supplier',
      <Link href={`/suppliers/${lead.supplier_id}`}>
        <bdi>{lead.supplier_name ?? shortId(lead.supplier_id)}</bdi>
      </Link>,
    ],
    ['Received', <Time at={lead.created_at} />],
    ['Decided', <Time at={lead.decided_at} />],
    ['Decided in', tookText(lead)],
    [
      'Ping',
      lead.ping_id !== null && <Link href={`/pings/${lead.ping_id}`}>{shortId(lead.ping_id)}</Link>,
    ],
    ['Resells', lead.resale_of !== null && <LeadLink id={lead.resale_of} />],
    ['Repeats', lead.duplicate_of !== null && <LeadLink id={lead.duplicate_of} />],
  ];
}

/** Beyond, what matters is when. */
const TOOK_MAX_MS = 60_000;

/** How long its supplier waited for the decision. */
function tookText({ created_at, decided_at }: Lead): string | false {
  if (decided_at === null) return false;
  const ms = Date.parse(decided_at) - Date.parse(created_at);
  if (ms <= 0 || ms > TOOK_MAX_MS) return false;
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

const LeadLink = ({ id }: { id: string }): ReactNode => (
  <Link href={`/leads/${id}`}>{shortId(id)}</Link>
);

/** Shown in the card of the person; the whole is under Data. */
const SHOWN = ['address', 'city', 'state', 'zip_code', 'zip'];

function Person({ lead, isMasked }: { lead: Lead; isMasked: boolean }): ReactNode {
  if (isMasked) {
    return (
      <section className="card">
        <h2>Person</h2>
        <p className="muted">Your role does not see data of people.</p>
      </section>
    );
  }
  const [phone, email, fields] = [phoneOf(lead), emailOf(lead), fieldsOf(lead)];
  const more = SHOWN.flatMap((name): Fact[] => {
    const value = fields[name];
    return value === undefined ? [] : [[labelOf(name), <Written>{String(value)}</Written>]];
  });
  return (
    <section className="card">
      <h2>Person</h2>
      <Facts
        facts={[
          ['Name', lead.name !== null && <Written>{titleOf(lead)}</Written>],
          [
            'Phone',
            phone !== '' && (
              <a href={`tel:${phone}`} dir="ltr">
                {phoneText(phone)}
              </a>
            ),
          ],
          [
            'Email',
            email !== '' && (
              <a href={`mailto:${email}`} className="written" dir="ltr">
                {email}
              </a>
            ),
          ],
          ...more,
        ]}
      />
    </section>
  );
}

function Related({ lead: { related = [] } }: { lead: Lead }): ReactNode {
  if (related.length === 0) return null;
  return (
    <section className="card">
      <h2>Other leads of this person</h2>
      <ul className="lead-related">
        {related.map(({ id, created_at, status }) => (
          <li key={id}>
            <Link href={`/leads/${id}`}>
              <Time at={created_at} />
            </Link>
            <LeadStatus of={status} />
          </li>
        ))}
      </ul>
    </section>
  );
}
