/** Funnels as the actions show them. */
import type { z } from 'zod';
import { readTimeZone } from '../../account/orgs.js';
import { dayAfter } from '../../fields/days.js';
import { windowKeys } from '../../fields/windowKeys.js';
import { embedCode, liveUrl, previewUrl } from '../../funnels/address.js';
import { readFunnelSums, type FunnelSums } from '../../funnels/funnelSums.js';
import type { StepFigures } from '../../funnels/funnelStats.js';
import type { ListedFunnel } from '../../funnels/funnels.js';
import type { FunnelDoc } from '../../funnels/store/funnelDocs.js';
import type { ActionContext } from './action.js';
import { readNames } from './recordNames.js';
import type { FunnelRow, FunnelSumsView, FunnelView } from './schemas/funnel.js';

type Row = z.input<typeof FunnelRow>;

/** Their rows, with the names of the linked campaigns and suppliers. */
export async function funnelRows(
  funnels: readonly ListedFunnel[],
  context: ActionContext,
): Promise<Row[]> {
  const { collections, orgId } = context;
  const ids = (key: 'campaign_id' | 'supplier_id') => funnels.map((one) => one[key]);
  const [campaigns, suppliers] = await Promise.all([
    readNames(collections.campaigns, ids('campaign_id'), orgId),
    readNames(collections.suppliers, ids('supplier_id'), orgId),
  ]);
  return funnels.map((funnel) => ({
    ...funnel,
    id: funnel._id,
    campaign: { id: funnel.campaign_id, name: campaigns.get(funnel.campaign_id) },
    supplier: { id: funnel.supplier_id, name: suppliers.get(funnel.supplier_id) },
    version: funnel.draft_version,
    has_unpublished_changes: funnel.published_draft !== funnel.draft_version,
    live_url: funnel.status === 'published' ? liveUrl(context.funnels.url(), funnel.slug) : null,
  }));
}

export async function funnelRow(funnel: ListedFunnel, context: ActionContext): Promise<Row> {
  const [row] = await funnelRows([funnel], context);
  if (!row) throw new Error('A funnel has a row');
  return row;
}

export async function funnelView(
  funnel: FunnelDoc,
  context: ActionContext,
): Promise<z.input<typeof FunnelView>> {
  const { funnels } = context;
  const row = await funnelRow(funnel, context);
  return {
    ...row,
    definition: funnel.definition,
    preview_url: previewUrl(funnels.url(), funnel._id, funnels.issuePreview(funnel._id)),
    embed_code: row.live_url === null ? null : embedCode(funnels.url(), funnel.slug),
  };
}

/** Days of the figures in a list, today included. */
const SUMMED_DAYS = 7;

/** The figures of these funnels in the last days, by funnel. */
export async function funnelSums(
  ids: readonly string[],
  { collections, orgId, clock }: ActionContext,
): Promise<Map<string, z.input<typeof FunnelSumsView>>> {
  const timeZone = await readTimeZone(collections, orgId);
  const to = windowKeys(clock.now(), timeZone).day;
  const from = dayAfter(to, 1 - SUMMED_DAYS);
  const sums = await readFunnelSums(collections, ids, { orgId, from, to, timeZone });
  return new Map([...sums].map(([id, one]) => [id, { from, to, ...sumsView(one) }]));
}

const sumsView = ({ steps, ...sums }: FunnelSums) => ({
  ...sums,
  conversion_pct: sums.accepted === null ? null : percentOf(sums.accepted, sums.views),
  steps: steps.map(stepView),
});

/** A step of a funnel, and how many visitors left there. */
export function stepView({ step, title, shown, done }: StepFigures & { title?: string }) {
  // A page that was opened before the span may be left within it.
  const left = Math.max(0, shown - done);
  return { step, title, shown, done, left, drop_off_pct: percentOf(left, shown) };
}

/** Two decimals; 0 of nothing. */
export const percentOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
