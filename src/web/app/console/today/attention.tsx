import {
  CircleCheck,
  CircleHelp,
  Clock,
  GitPullRequestArrow,
  MailX,
  Moon,
  PlugZap,
  ChevronRight,
  Undo2,
  CircleGauge,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useFormats, type Formats } from '../../lib/format.js';
import { useSession } from '../../lib/session.js';
import { EmptyState } from '../../ui/index.js';
import type { Today } from './types.js';

type Cap = Today['caps']['fullest'][number];

interface Item {
  icon: LucideIcon;
  tone: 'bad' | 'warning' | 'info';
  text: ReactNode;
  detail?: ReactNode;
  href: string;
  /** The action of the screen that it leads to. */
  needs: string;
}

/** What an operator would ask about, the most urgent first; each leads to the rows behind it. */
export function Attention({ today }: { today: Today }): ReactNode {
  const formats = useFormats();
  const { calls } = useSession().me;
  const items = [
    ...waitingItems(today, formats),
    ...breakerItems(today, formats),
    ...capItems(today, formats),
    ...silentItems(today, formats),
    ...decisionItems(today, formats),
  ];
  if (items.length === 0)
    return (
      <EmptyState title="Nothing needs you" icon={CircleCheck}>
        No delivery waits, no breaker is open, and no cap is nearly used.
      </EmptyState>
    );
  return (
    <ul className="attention card">
      {items.map((item, nth) => (
        <li key={nth}>
          <Row item={item} isOpen={calls.includes(item.needs)} />
        </li>
      ))}
    </ul>
  );
}

function Row({ item, isOpen }: { item: Item; isOpen: boolean }): ReactNode {
  const { icon: Icon, tone, text, detail, href } = item;
  const content = (
    <>
      <span className={`attention-icon ${tone}`}>
        <Icon size={16} aria-hidden />
      </span>
      <span className="attention-text">
        <span>{text}</span>
        {detail !== undefined && <span className="muted">{detail}</span>}
      </span>
    </>
  );
  if (!isOpen) return <div className="attention-row">{content}</div>;
  return (
    <Link className="attention-row" href={href}>
      {content}
      <ChevronRight size={16} aria-hidden />
    </Link>
  );
}

const one = (count: number, singular: string, plural: string, formats: Formats): string =>
  `${formats.number(count)} ${count === 1 ? singular : plural}`;

function waitingItems({ waiting }: Today, formats: Formats): Item[] {
  const { unknown, deliveries, oldest_at, is_cut } = waiting;
  const more = is_cut ? ' or more' : '';
  return [
    ...(unknown > 0
      ? [
          {
            icon: CircleHelp,
            tone: 'bad' as const,
            text: `${one(unknown, 'delivery was', 'deliveries were', formats)} never answered`,
            detail: 'The buyer may have the lead: decide what happened',
            href: '/queues?state=unknown',
            needs: 'list_deliveries',
          },
        ]
      : []),
    ...(deliveries > 0
      ? [
          {
            icon: Clock,
            tone: 'warning' as const,
            text: `${one(deliveries, 'delivery', 'deliveries', formats)}${more} wait${deliveries === 1 ? 's' : ''} to be sent`,
            detail: oldest_at && `The oldest since ${formats.relative(oldest_at)}`,
            href: '/queues',
            needs: 'list_deliveries',
          },
        ]
      : []),
  ];
}

const breakerItems = ({ breakers, waiting }: Today, formats: Formats): Item[] => [
  ...breakers.map(({ buyer_id, buyer_name, breaker, since, failures }) => ({
    icon: PlugZap,
    tone: 'bad' as const,
    text: (
      <>
        <bdi>{buyer_name ?? 'A deleted buyer'}</bdi>{' '}
        {breaker === 'open' ? 'gets no leads: its breaker is open' : 'is being tried again'}
      </>
    ),
    detail: `${one(failures, 'failure', 'failures', formats)} in a row, ${formats.relative(since)}`,
    href: `/buyers/${buyer_id}`,
    needs: 'get_buyer',
  })),
  ...moreOf(waiting.breakers - breakers.length, {
    icon: PlugZap,
    tone: 'bad',
    text: `${formats.number(waiting.breakers - breakers.length)} more buyers get no leads`,
    href: '/buyers',
    needs: 'list_buyers',
  }),
];

const moreOf = (count: number, item: Item): Item[] => (count > 0 ? [item] : []);

function capItems({ caps }: Today, formats: Formats): Item[] {
  const more = caps.nearly_full - caps.fullest.length;
  return [
    ...caps.fullest.map((cap): Item => {
      const { scope, campaign_name, window, of, limit, used, used_pct } = cap;
      const owner = cap.buyer_name ?? cap.supplier_name ?? campaign_name;
      const show = of === 'budget' ? formats.money : formats.number;
      return {
        icon: CircleGauge,
        tone: used_pct >= 100 ? 'bad' : 'warning',
        text: (
          <>
            <bdi>{owner ?? 'A deleted record'}</bdi>: {WINDOWS[window] ?? window}{' '}
            {of === 'budget' ? 'budget' : 'cap'}{' '}
            {used_pct >= 100 ? 'is used up' : `at ${used_pct}%`}
          </>
        ),
        detail: (
          <>
            {show(used)} of {show(limit)}
            {scope !== 'campaign' && campaign_name !== null && (
              <>
                {' in '}
                <bdi>{campaign_name}</bdi>
              </>
            )}
          </>
        ),
        href: limitPath(cap),
        needs: 'get_campaign',
      };
    }),
    ...moreOf(more, {
      icon: CircleGauge,
      tone: 'warning',
      text: `${formats.number(more)} more caps are above 80%`,
      href: '/campaigns',
      needs: 'list_campaigns',
    }),
  ];
}

const WINDOWS: Partial<Record<string, string>> = {
  hour: 'hourly',
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
  total: 'total',
};

/** Where the limit is raised: in its cell, where it is a partner's. */
function limitPath({ scope, campaign_id, buyer_id, supplier_id, window, of }: Cap): string {
  const path = `/campaigns/${campaign_id}`;
  const id = buyer_id ?? supplier_id;
  if (scope === 'campaign' || id === null) return path;
  const focus = `${WINDOWS[window] ?? window}_${of === 'count' ? 'cap' : 'budget'}`;
  return `${path}/${scope}s?${new URLSearchParams({ [scope]: id, focus }).toString()}`;
}

const silentItems = ({ silent_suppliers }: Today, formats: Formats): Item[] =>
  silent_suppliers.map(({ supplier_id, supplier_name, last_lead_at }) => ({
    icon: Moon,
    tone: 'warning',
    text: (
      <>
        <bdi>{supplier_name ?? 'A deleted supplier'}</bdi> has stopped sending
      </>
    ),
    detail: `Its latest lead was ${formats.relative(last_lead_at)}`,
    href: `/suppliers/${supplier_id}`,
    needs: 'get_supplier',
  }));

/** Counts are exact up to here. */
const COUNTED_MAX = 1_000;

function decisionItems({ waiting }: Today, formats: Formats): Item[] {
  const counted = (count: number, singular: string, plural: string): string =>
    `${one(count, singular, plural, formats)}${count >= COUNTED_MAX ? ' or more' : ''}`;
  const { returns, change_requests, dead_letters } = waiting;
  return [
    ...moreOf(returns, {
      icon: Undo2,
      tone: 'info',
      text: `${counted(returns, 'return waits', 'returns wait')} for a decision`,
      href: '/returns?state=requested',
      needs: 'list_returns',
    }),
    ...moreOf(change_requests, {
      icon: GitPullRequestArrow,
      tone: 'info',
      text: `${counted(change_requests, 'change is', 'changes are')} requested by partners`,
      href: '/requests',
      needs: 'list_change_requests',
    }),
    ...moreOf(dead_letters, {
      icon: MailX,
      tone: 'bad',
      text: `${counted(dead_letters, 'event was', 'events were')} not accepted by an automation`,
      href: '/system',
      needs: 'get_today',
    }),
  ];
}
