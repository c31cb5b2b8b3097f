/** Records of the organization that its screens show: usual ones, neither the first nor the last. */
import type { Bench } from '../bench.js';
import type { ScreensAccount } from './account.js';
import type { Operators } from './operators.js';
import type { Shown } from './pages.js';

const PAGE = 20;

interface LeadsPage {
  leads: { id: string }[];
  next_cursor: string | null;
}

export async function findShown(
  { collections }: Bench,
  { orgId: org_id, timeZone, campaigns }: ScreensAccount,
  operators: Operators,
): Promise<Shown> {
  const [campaign] = campaigns;
  if (!campaign) throw new Error('There is no campaign');
  const of = { org_id, campaign_id: campaign.campaignId };
  const lead = await collections.leads.findOne({
    ...of,
    status: 'ACCEPTED',
    buyer_id: { $gt: '' },
    created_at: { $lt: new Date(Date.now() - 86_400_000) },
  });
  const ping = await collections.pings.findOne({ org_id, state: 'expired' });
  if (!lead?.buyer_id || !ping) throw new Error('There is no sold lead, or no ping');
  const [buyer, supplier] = await Promise.all([
    collections.buyers.findOne({ _id: lead.buyer_id }),
    collections.suppliers.findOne({ _id: lead.supplier_id }),
  ]);
  return {
    timeZone,
    campaignId: campaign.campaignId,
    buyerId: lead.buyer_id,
    buyerName: buyer?.name ?? '',
    supplierId: lead.supplier_id,
    supplierName: supplier?.name ?? '',
    leadId: lead._id,
    phone: String(lead.fields.phone ?? ''),
    lastName: String(lead.fields.last_name ?? ''),
    pingId: ping._id,
    cursor: await cursorOfPage(operators, PAGE),
  };
}

/** Where this page of the leads begins, counted from 1. */
async function cursorOfPage(operators: Operators, page: number): Promise<string> {
  let cursor = '';
  for (let read = 1; read < page; read += 1) {
    const input = cursor === '' ? {} : { cursor };
    const { status, data } = await operators.read(['get_leads', input]);
    const next = (data as LeadsPage | undefined)?.next_cursor;
    if (status !== 200 || !next) throw new Error(`Page ${read} of the leads has no next one`);
    cursor = next;
  }
  return cursor;
}
