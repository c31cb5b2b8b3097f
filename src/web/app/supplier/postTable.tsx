/** Posts in a table, each with a link to its own page. */
import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useSession } from '../lib/session.js';
import { Badge, Copy, Money, Table, Time, Written, type Column } from '../ui/index.js';
import { PostStatus, type Post } from './words.js';

export const postHref = (id: string): string => `/posts/${encodeURIComponent(id)}`;

interface PostTableProps {
  posts: readonly Post[];
  empty: ReactNode;
}

export function PostTable({ posts, empty }: PostTableProps): ReactNode {
  const { settings } = useSession().me;
  const columns: Column<Post>[] = [
    {
      header: 'Time',
      cell: ({ id, at }) => (
        <Link href={postHref(id)}>
          <Time at={at} />
        </Link>
      ),
    },
    { header: 'Kind', cell: (post) => <Kind post={post} /> },
    { header: 'Campaign', cell: ({ campaign }) => <Written>{campaign.name}</Written> },
    { header: 'Response', cell: ({ answer }) => `${answer.http_status} ${answer.code}` },
    { header: 'Status', cell: ({ status }) => <PostStatus of={status} /> },
    { header: 'Reason', cell: (post) => <Why post={post} /> },
    { header: 'Payout or bid', isNumber: true, cell: ({ payout }) => <Money amount={payout} /> },
  ];
  if (settings?.show_buyer_names)
    columns.push({
      header: 'Buyer',
      cell: ({ buyer_name }) => buyer_name !== null && <Written>{buyer_name}</Written>,
    });
  if (settings?.show_prices)
    columns.push({
      header: 'Price',
      isNumber: true,
      cell: ({ price }) => <Money amount={price} />,
    });
  columns.push({ header: 'Id', cell: ({ id }) => <Copy text={id} of={`id ${id}`} /> });
  return (
    <Table caption="Posts" columns={columns} rows={posts} rowKey={({ id }) => id} empty={empty} />
  );
}

function Kind({ post }: { post: Post }): ReactNode {
  return (
    <>
      {post.kind === 'ping' ? 'Ping' : 'Lead'} {post.is_test && <Badge tone="info">TEST</Badge>}
    </>
  );
}

const RELATED = [
  ['duplicate_of', 'Earlier lead'],
  ['ping_id', 'Ping'],
  ['lead_id', 'Lead'],
] as const;

/** The reason, and the related posts. */
const Why = ({ post }: { post: Post }): ReactNode => (
  <>
    {post.reason !== null && <Written>{post.reason}</Written>}
    {RELATED.map(
      ([key, name]) =>
        post[key] !== null && (
          <Fragment key={key}>
            {' '}
            <Link href={postHref(post[key])}>{name}</Link>
          </Fragment>
        ),
    )}
  </>
);
