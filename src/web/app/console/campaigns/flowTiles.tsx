import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format.js';
import { changeOf, Tile, Tiles, type Change } from '../../ui/index.js';
import type { Flow } from './flowModel.js';

interface FlowTilesProps {
  flow: Flow;
  /** The days that are compared with, in words. */
  than: string;
  /** The last of the days is not over: counts would be compared with more hours. */
  isOngoing: boolean;
  leadsHref(filters: Record<string, string>): string;
}

/** The figures of these days beside those a week earlier. */
export function FlowTiles({ flow, than, isOngoing, leadsHref }: FlowTilesProps): ReactNode {
  const { number, money, percent } = useFormats();
  const margin = (pct: number): string => percent(pct / 100);
  const { total, before, waiting, campaign } = flow;
  const earlier = before && before.total.total_leads > 0 ? before.total : undefined;
  const counted = (key: 'total_leads' | 'accepted' | 'revenue' | 'profit', isMoney = false) => {
    if (!earlier) return {};
    const then = isMoney ? inWhole(earlier[key], money) : number(earlier[key]);
    if (isOngoing) return { hint: `${then} in whole days ${than}` };
    return { change: changeOf(total[key], earlier[key], { good: 'up', than }) };
  };
  const queue = `/queues?campaign_id=${encodeURIComponent(campaign?.id ?? '')}`;
  return (
    <Tiles>
      <Tile
        label="Leads"
        value={number(total.total_leads)}
        href={leadsHref({})}
        {...counted('total_leads')}
      />
      <Tile
        label="Accepted"
        value={`${total.acceptance_pct}%`}
        href={leadsHref({ status: 'ACCEPTED' })}
        change={earlier && pointsOf(total.acceptance_pct, earlier.acceptance_pct, than)}
      />
      <Tile label="Revenue" value={inWhole(total.revenue, money)} {...counted('revenue', true)} />
      <Tile
        label="Profit"
        value={inWhole(total.profit, money)}
        hint={`Margin ${margin(total.margin_pct)}${earlier ? `, ${margin(earlier.margin_pct)} ${than}` : ''}`}
      />
      <Tile
        label="Waiting now"
        value={number(waiting.deliveries)}
        href={queue}
        hint={
          waiting.unknown > 0 ? `${number(waiting.unknown)} never answered` : 'All were answered'
        }
      />
    </Tiles>
  );
}

/** From here on cents say nothing, and make a number hard to read. */
const WHOLE_FROM = 1_000;

const inWhole = (amount: number, money: (amount: number) => string): string =>
  Math.abs(amount) < WHOLE_FROM ? money(amount) : money(Math.round(amount)).replace(/\.00$/, '');

/** The change of a share, in points. */
function pointsOf(now: number, before: number, than: string): Change {
  const by = Math.round((now - before) * 10) / 10;
  const direction = by === 0 ? 'same' : by > 0 ? 'up' : 'down';
  return {
    text: by === 0 ? 'same' : `${by > 0 ? '+' : '−'}${Math.abs(by)} points`,
    tone: by === 0 ? 'neutral' : by > 0 ? 'good' : 'bad',
    direction,
    than,
  };
}
