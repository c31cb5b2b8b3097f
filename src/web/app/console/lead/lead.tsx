import { Link2, MoreHorizontal, Radio, Workflow } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useParams } from 'wouter';
import { ApiError } from '../../lib/api.js';
import { useFilters } from '../../lib/route.js';
import { useSession } from '../../lib/session.js';
import { useCall } from '../../lib/useActions.js';
import {
  EmptyState,
  IconButton,
  Loaded,
  Menu,
  Page,
  Time,
  useToast,
  type MenuItem,
} from '../../ui/index.js';
import { Again } from './again.js';
import { Aside } from './aside.js';
import { Attempts } from './attempts.js';
import { Consent, Data } from './data.js';
import { Headline } from './headline.js';
import './lead.css';
import { isMasked, titleOf } from './person.js';
import { Sales } from './sales.js';
import { LeadTabs, TABS, type LeadTab } from './tabs.js';
import { Way } from './way.js';
import { isOpen, LeadStatus, type Explanation, type Lead } from './words.js';

/** While a lead is not decided, it is read again every so many seconds. */
const REFRESH_SECONDS = 15;

/** One lead: why it went where it went, and what mends it. */
export default function LeadPage(): ReactNode {
  const { id } = useParams<{ id: string }>();
  const [isWaiting, setIsWaiting] = useState(false);
  const options = { refreshSeconds: isWaiting ? REFRESH_SECONDS : undefined };
  const lead = useCall('get_lead', { lead_id: id, include_related: true }, options);
  const explanation = useCall('explain_lead', { lead_id: id }, options);
  const isUndecided = lead.data !== undefined && isOpen(lead.data);
  useEffect(() => setIsWaiting(isUndecided), [isUndecided]);
  if (lead.error instanceof ApiError && lead.error.code === 'record_not_found') return <Unknown />;
  if (!lead.data) {
    return (
      <Page title="Lead" crumbs={CRUMBS}>
        <Loaded of={lead} shape="cards">
          {() => null}
        </Loaded>
      </Page>
    );
  }
  return (
    <Page
      title={titleOf(lead.data)}
      status={<LeadStatus of={lead.data.status} />}
      crumbs={CRUMBS}
      intro={<Intro lead={lead.data} />}
      actions={<More lead={lead.data} />}
      how={{ action: 'explain_lead', input: { lead_id: id } }}
    >
      <Loaded of={lead}>
        {(data) => (
          <Loaded of={explanation} shape="cards">
            {(why) => <Content lead={data} why={why} />}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

const CRUMBS = [{ href: '/leads', label: 'Leads' }];

const Unknown = (): ReactNode => (
  <Page title="No such lead" crumbs={CRUMBS}>
    <EmptyState title="There is no such lead">
      It does not exist, it was deleted, or it belongs to another organization.
    </EmptyState>
  </Page>
);

function Intro({ lead }: { lead: Lead }): ReactNode {
  return (
    <>
      {lead.is_test && <strong>Test lead: no cost, no revenue. </strong>}
      Received <Time at={lead.created_at} /> from <bdi>{lead.supplier_name ?? 'a supplier'}</bdi>{' '}
      for <bdi>{lead.campaign_name ?? 'a campaign'}</bdi>.
    </>
  );
}

/** Where the Temporal UI is only at hand on its own machine, a browser elsewhere gets no link that leads nowhere. */
function isReachable(url: string): boolean {
  const isLocal = (host: string) => ['localhost', '127.0.0.1', '[::1]'].includes(host);
  return !isLocal(new URL(url).hostname) || isLocal(location.hostname);
}

function More({ lead }: { lead: Lead }): ReactNode {
  const toast = useToast();
  const copy = (text: string, what: string) =>
    navigator.clipboard.writeText(text).then(
      () => toast(`${what} copied.`),
      () => toast(`The browser did not let ${what.toLowerCase()} be copied.`, { tone: 'bad' }),
    );
  const { workflow_url, ping_id } = lead;
  const items: MenuItem[] = [
    { label: 'Copy lead ID', run: () => copy(lead.id, 'Lead ID') },
    ...(ping_id === null ? [] : [{ label: 'Its ping', icon: Radio, href: `/pings/${ping_id}` }]),
    ...(workflow_url !== null && isReachable(workflow_url)
      ? [{ label: 'Open in Temporal', icon: Workflow, href: workflow_url, isOutside: true }]
      : []),
  ];
  return (
    <>
      <IconButton icon={Link2} label="Copy link" onClick={() => void copy(location.href, 'Link')} />
      <Menu items={items} trigger={<IconButton icon={MoreHorizontal} label="More" />} />
    </>
  );
}

interface ContentProps {
  lead: Lead;
  why: Explanation;
}

function Content({ lead, why }: ContentProps): ReactNode {
  const { me } = useSession();
  const [{ tab }] = useFilters(['tab'] as const);
  const open = TABS.find(({ id }) => id === tab)?.id ?? 'way';
  return (
    <>
      <Headline lead={lead} why={why} />
      <div className="lead-columns">
        <div className="lead-main stack">
          <LeadTabs lead={lead} />
          <Part tab={open} lead={lead} why={why} />
        </div>
        <Aside lead={lead} isMasked={isMasked(lead)} currency={me.organization.currency} />
      </div>
    </>
  );
}

function Part({ tab, lead, why }: ContentProps & { tab: LeadTab }): ReactNode {
  if (tab === 'attempts') return <Attempts lead={lead} />;
  if (tab === 'sales') return <Sales lead={lead} />;
  if (tab === 'data') {
    return (
      <>
        <Data lead={lead} />
        {lead.has_consent && <Consent lead={lead} />}
      </>
    );
  }
  return (
    <>
      <Way lead={lead} why={why} />
      <Again lead={lead} />
    </>
  );
}
