import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format.js';
import { Chip, EmptyState, Money, Table } from '../../ui/index.js';
import { ShareBar } from '../shareBar.js';
import { Name } from '../names.js';
import { share } from './miniBids.js';
import type { Ping } from './words.js';

type Bid = Ping['bids'][number];
type Unbid = Ping['unbid'][number];
/** A buyer that took part, with its bid or without. */
type Bidder = { id: string; name: string | null; ms: number | null } & (
  { bid: Bid; unbid?: never } | { bid?: never; unbid: Unbid }
);

/** Who bid how much and how fast, who won, and why the others did not bid. */
export function Auction({ ping }: { ping: Ping }): ReactNode {
  const { money } = useFormats();
  const { bids, unbid, won_by } = ping;
  const bidders: Bidder[] = [
    ...bids.map((bid) => ({ ...whose(bid), bid })),
    ...unbid.map((one) => ({ ...whose(one), unbid: one })),
  ];
  const mostBid = Math.max(0, ...bids.map(({ bid }) => bid));
  const mostMs = Math.max(0, ...bidders.map(({ ms }) => ms ?? 0));
  const isSold = won_by !== null;
  return (
    <Table
      caption="Bids"
      rows={bidders}
      rowKey={({ id }) => id}
      empty={
        <EmptyState title="No buyer was asked">The ping was refused before its auction.</EmptyState>
      }
      columns={[
        {
          header: 'Buyer',
          cell: ({ id, name }) => (
            <>
              <Name of={name} /> {isSold && id === won_by && <Chip tone="good">Won</Chip>}
            </>
          ),
        },
        {
          header: 'Bid',
          cell: ({ bid, unbid: none }) =>
            bid ? (
              <Length percent={share(bid.bid, mostBid)} text={money(bid.bid)} />
            ) : (
              <span className="auction-why">{none.why}</span>
            ),
        },
        {
          header: 'Buyer pays',
          isNumber: true,
          cell: ({ bid }) => <Money amount={bid?.price ?? null} />,
        },
        {
          header: 'After margin',
          isNumber: true,
          cell: ({ bid }) => <Money amount={bid?.net ?? null} />,
        },
        {
          header: 'Time',
          cell: ({ bid, ms }) =>
            ms === null ? (
              <span className="muted">{bid ? 'Fixed price' : 'Not asked'}</span>
            ) : (
              <Length percent={share(ms, mostMs)} text={`${Math.round(ms)} ms`} isTime />
            ),
        },
      ]}
    />
  );
}

const whose = ({ buyer_id: id, buyer_name: name, latency_ms: ms }: Bid | Unbid) => ({
  id,
  name,
  ms,
});

/** A value beside its length. */
const Length = (props: { percent: number; text: string; isTime?: boolean }): ReactNode => (
  <span className={props.isTime ? 'auction-bar time' : 'auction-bar'}>
    <ShareBar parts={[{ percent: props.percent, tone: props.isTime ? 'quiet' : 'main' }]} />
    <span className="number">{props.text}</span>
  </span>
);
