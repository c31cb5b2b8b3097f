/** A buyer with a cap that the load exceeds: the audit detects a single lead over it. */
import type { Bench } from '../bench.js';
import { sendAll } from '../load/load.js';

const CAP = 300;
const LEADS = 900;
const OPEN = 64;

/** @returns no figures: the audit reports the result */
export async function capped(
  bench: Bench,
  _shape: unknown,
  say: (line: string) => void,
): Promise<never[]> {
  const { account, supplier } = await bench.account((url) => ({
    buyers: {
      // The total cap limits it to the same number when a run continues past midnight.
      capped: {
        price: 30,
        caps: { daily_cap: CAP, total_cap: CAP },
        delivery: { url: `${url}/fast/1` },
      },
      other: { price: 10, delivery: { url: `${url}/fast/2` } },
    },
  }));
  const buyerId = account.buyers.capped ?? '';
  bench.caps.push({ buyerId, leads: CAP });
  await sendAll(LEADS, OPEN, () => supplier.postUntilTaken());
  await bench.quiet();
  const ofCampaign = { campaign_id: account.campaignId, buyer_id: buyerId };
  const sold = await bench.collections.leads.countDocuments({ ...ofCampaign, status: 'ACCEPTED' });
  say(`a cap of ${CAP} a day: ${sold} of ${LEADS} leads were sold to its buyer`);
  return [];
}
