/** One post: the response, the reason, the fields sent, and the payout. */
import type { ReactNode } from 'react';
import { Link, useParams } from 'wouter';
import { useCall, type OutputOf } from './calls.js';
import {
  Code,
  Copied,
  EmptyState,
  Facts,
  Loaded,
  Money,
  Page,
  Section,
  Table,
  Time,
  Written,
  type Column,
  type Fact,
} from '../ui/index.js';
import { postHref } from './postTable.js';
import { FieldNotes, PostStatus, TestBand } from './words.js';

type Detail = OutputOf<'get_post'>;

export default function Post(): ReactNode {
  const { id = '' } = useParams();
  const post = useCall('get_post', { post_id: id });
  return (
    <Page
      title={post.data?.kind === 'ping' ? 'Ping' : 'Post'}
      actions={<Link href="/posts">All posts</Link>}
    >
      <Loaded of={post}>{(data) => <Details post={data} />}</Loaded>
    </Page>
  );
}

function Details({ post }: { post: Detail }): ReactNode {
  return (
    <>
      {post.is_test && <TestBand />}
      <Facts facts={factsOf(post)} />
      <Section title="Reason">
        {post.reason !== null && post.filters.length === 0 && (
          <p>
            <Written>{post.reason}</Written>
          </p>
        )}
        <FieldNotes notes={post.filters} />
        <Related post={post} />
        {post.reason === null && post.filters.length === 0 && <p>Not refused by any rule.</p>}
      </Section>
      {post.kind === 'ping' && <Bids post={post} />}
      <Section title="Response">
        <Code label={`HTTP ${post.answer.http_status}`} text={post.answer_body} />
      </Section>
      {post.fields && <Sent fields={post.fields} />}
    </>
  );
}

const factsOf = (post: Detail): Fact[] => [
  ['Status', <PostStatus of={post.status} />],
  ['Posted', <Time at={post.at} />],
  ['Campaign', <Written>{post.campaign.name}</Written>],
  ['Response', `HTTP ${post.answer.http_status} ${post.answer.code}`],
  ['Id', <Copied text={post.id} of="id" />],
  ['Decided', post.decided_at && <Time at={post.decided_at} />],
  ['Pending since', post.pending_at && <Time at={post.pending_at} />],
  ['Expires', post.expires_at && <Time at={post.expires_at} />],
  [
    post.kind === 'ping' ? 'Best bid' : 'Payout',
    post.payout !== null && <Money amount={post.payout} />,
  ],
  ['Buyer', post.buyer_name !== null && <Written>{post.buyer_name}</Written>],
  ['Price', post.price !== null && <Money amount={post.price} />],
  ['Outcome', post.outcome !== null && <Written>{post.outcome}</Written>],
];

const RELATED = [
  ['duplicate_of', 'Duplicate of', 'an earlier lead'],
  ['ping_id', 'Posted with', 'a ping'],
  ['lead_id', 'Redeemed by', 'a lead'],
] as const;

const Related = ({ post }: { post: Detail }): ReactNode =>
  RELATED.map(
    ([key, how, name]) =>
      post[key] !== null && (
        <p key={key}>
          {how} <Link href={postHref(post[key])}>{name}</Link>.
        </p>
      ),
  );

interface Bid {
  rank: number;
  bid_price: number;
  buyer_name: string | null;
}

const BID_COLUMNS: readonly Column<Bid>[] = [
  { header: 'Rank', cell: ({ rank }) => String(rank) },
  { header: 'Bid', isNumber: true, cell: ({ bid_price }) => <Money amount={bid_price} /> },
];
const BUYER_COLUMN: Column<Bid> = {
  header: 'Buyer',
  cell: ({ buyer_name }) => buyer_name !== null && <Written>{buyer_name}</Written>,
};

function Bids({ post }: { post: Detail }): ReactNode {
  const bids = post.bids.map((bid, n) => ({ ...bid, rank: n + 1 }));
  const hasNames = bids.some(({ buyer_name }) => buyer_name !== null);
  return (
    <Section title="Bids">
      <Table
        caption="Bids, the best first"
        rows={bids}
        rowKey={({ rank }) => String(rank)}
        empty={<EmptyState title="No bids">See the reason above.</EmptyState>}
        columns={hasNames ? [...BID_COLUMNS, BUYER_COLUMN] : BID_COLUMNS}
      />
    </Section>
  );
}

function Sent({ fields }: { fields: NonNullable<Detail['fields']> }): ReactNode {
  return (
    <Section title="Fields sent">
      <Table
        caption="Fields"
        rows={fields}
        rowKey={({ name }) => name}
        empty={
          <EmptyState title="No fields">
            They were erased, or the operator does not show them.
          </EmptyState>
        }
        columns={[
          { header: 'Field', cell: ({ label }) => <Written>{label}</Written> },
          { header: 'Name', cell: ({ name }) => <code>{name}</code> },
          { header: 'Value', cell: ({ value }) => <Written>{String(value)}</Written> },
        ]}
      />
    </Section>
  );
}
