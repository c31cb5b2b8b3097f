/** Posts in a table, each with a link to its own page. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useSession } from '../lib/session.js';
import { Badge, Copy, Money, Table, Time, Written, type Column } from '../ui/index.js';
import { statusWord, type Post } from './words.js';

export const postHref = (id: string): string => `/posts/${encodeURIComponent(id)}`;

export function PostTable({
  posts,
  empty,
}: {
  posts: readonly Post[];
  empty: ReactNode;
}): ReactNode {
  const { settings } = useSession().me;
  const columns: Column<Post>[] = [
    {
      key: 'at',
      header: 'Time',
      cell: ({ id, at }) => (
        <Link href={postHref(id)}>
          <Time at={at} />
        </Link>
      ),
    },
    { key: 'kind', header: 'Kind', cell: (post) => <Kind post={post} /> },
    {
      key: 'campaign',
      header: 'Campaign',
      cell: ({ campaign }) => <Written>{campaign.name}</Written>,
    },
    {
      key: 'answer',
      header: 'Answer',
      cell: ({ answer }) => `${answer.http_status} ${answer.code}`,
    },
    { key: 'status', header: 'Now', cell: ({ status }) => <StatusBadge status={status} /> },
    { key: 'why', header: 'Why', cell: (post) => <Why post={post} /> },
    {
      key: 'payout',
      header: 'Payout or bid',
      isNumber: true,
      cell: ({ payout }) => <Money amount={payout} />,
    },
  ];
  if (settings?.show_buyer_names)
    columns.push({
      key: 'buyer',
      header: 'Buyer',
      cell: ({ buyer_name }) => buyer_name !== null && <Written>{buyer_name}</Written>,
    });
  if (settings?.show_prices)
    columns.push({
      key: 'price',
      header: 'Price',
      isNumber: true,
      cell: ({ price }) => <Money amount={price} />,
    });
  columns.push({ key: 'id', header: 'Id', cell: ({ id }) => <Copy text={id} of={`id ${id}`} /> });
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

export function StatusBadge({ status }: { status: Post['status'] }): ReactNode {
  const { label, tone } = statusWord(status);
  return <Badge tone={tone}>{label}</Badge>;
}

/** The reason, and the related posts. */
function Why({ post }: { post: Post }): ReactNode {
  const { reason, duplicate_of, ping_id, lead_id } = post;
  return (
    <>
      {reason !== null && <Written>{reason}</Written>}
      {duplicate_of !== null && (
        <>
          {' '}
          <Link href={postHref(duplicate_of)}>The earlier lead</Link>
        </>
      )}
      {ping_id !== null && (
        <>
          {' '}
          <Link href={postHref(ping_id)}>Its ping</Link>
        </>
      )}
      {lead_id !== null && (
        <>
          {' '}
          <Link href={postHref(lead_id)}>Its lead</Link>
        </>
      )}
    </>
  );
}
