import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { post, type Answer, type ApiError } from '../../lib/api.js';
import { useFormats } from '../../lib/format.js';
import { useSession } from '../../lib/session.js';
import type { RowOf } from '../../lib/useActions.js';

type Usage = RowOf<'get_cap_usage'>;

/** The use of each limit of a campaign's links, by the link and the name of the limit. */
export type CapUses = ReadonlyMap<string, Usage>;

const PAGE = 500;
/** Two thousand links and limits fill far fewer; a campaign has at most a thousand links. */
const PAGES_MAX = 24;
const REFRESH_MS = 30_000;

/** Every limit of the campaign's buyers and suppliers with its use, read again while the tab is visible. */
export function useCapUses(campaignId: string): CapUses {
  const { api } = useSession();
  const { data }: UseQueryResult<CapUses, ApiError> = useQuery({
    queryKey: [api, 'get_cap_usage', { campaign_id: campaignId }, 'all'],
    queryFn: () => readAll(`${api}/get_cap_usage`, campaignId),
    refetchInterval: ({ state }) => (state.error ? false : REFRESH_MS),
  });
  return data ?? NONE;
}

const NONE: CapUses = new Map();

async function readAll(path: string, campaign_id: string): Promise<CapUses> {
  const rows: Usage[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const asked = { campaign_id, limit: PAGE, ...(cursor != null && { cursor }) };
    const answer = (await post(path, asked)) as Answer;
    rows.push(...(answer.data as Usage[]));
    cursor = answer.next_cursor;
    if (cursor == null) break;
  }
  return new Map(
    rows.map((one) => [useKey(one.buyer_id ?? one.supplier_id ?? '', limitOf(one)), one]),
  );
}

const LIMITS: Record<string, string> = {
  hour: 'hourly',
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
  total: 'total',
};

/** The name of the limit: `daily_cap`, `monthly_budget`. */
const limitOf = ({ window, of }: Pick<Usage, 'window' | 'of'>): string =>
  `${LIMITS[window] ?? window}_${of === 'count' ? 'cap' : 'budget'}`;

const useKey = (partyId: string, limit: string): string => `${partyId} ${limit}`;

export const usageOf = (uses: CapUses, partyId: string, limit: string): Usage | undefined =>
  uses.get(useKey(partyId, limit));

/** From this share on a cap is nearly full. */
const NEARLY_FULL_PCT = 80;

/** The links of which a limit is nearly full. */
export const fullLinks = (uses: CapUses): ReadonlySet<string> =>
  new Set(
    [...uses].flatMap(([key, { used_pct }]) =>
      used_pct >= NEARLY_FULL_PCT ? [key.slice(0, key.lastIndexOf(' '))] : [],
    ),
  );

/** Beside a cap: how much of it is used, and when it starts again. */
export function CapUse({ usage }: { usage: Usage | undefined }): ReactNode {
  const formats = useFormats();
  if (!usage) return null;
  const { used, limit, used_pct, resets_at, of, held } = usage;
  const show = of === 'budget' ? formats.money : formats.number;
  const tone = used_pct >= 100 ? 'bad' : used_pct >= NEARLY_FULL_PCT ? 'warning' : 'good';
  const resets = resets_at === null ? '' : ` · resets ${formats.relative(resets_at)}`;
  const inFlight = held > 0 ? `, ${show(held)} of them in flight` : '';
  const title = `${show(used)} of ${show(limit)} used${inFlight}${resets}`;
  return (
    <span className={`cap-use ${tone}`} title={title}>
      <meter
        aria-hidden
        min={0}
        max={Math.max(limit, 1)}
        low={limit * (NEARLY_FULL_PCT / 100)}
        high={limit * 0.99}
        optimum={0}
        value={limit === 0 ? 1 : Math.min(used, limit)}
      />
      <span>
        {show(used)} used{resets}
      </span>
    </span>
  );
}
