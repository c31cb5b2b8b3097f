/** Accounts at their limits. */
import { publishCampaign } from '../../../../src/account/plans/publish.js';
import { linkId } from '../../../../src/account/links/storeLink.js';
import { aLead } from '../../../support/storedRows.js';
import type { Stage } from './stage.js';

const BUYERS_MAX = 500;
/** Of the first one: right to left, with markup, and long. */
const ODD = ` עברית ‮<img src=x onerror=alert(1)>${'ע'.repeat(90)}`;
const nameOf = (id: string) => `${id.replace('b-', 'Buyer ')}${id === 'b-000' ? ODD : ''}`;

/** As many buyers as a campaign may have, like `North`; forty of them bought a lead today. */
export async function fillUp({ bed, market }: Stage, campaign_id: string): Promise<void> {
  const { buyers, campaignBuyers, leads } = bed.collections;
  const _id = market.account.buyers.North!;
  const [one, terms] = await Promise.all([
    buyers.findOne({ _id }),
    campaignBuyers.findOne({ _id: linkId(campaign_id, _id) }),
  ]);
  if (!one || !terms) throw new Error('North is not linked');
  const ids = Array.from({ length: BUYERS_MAX - 2 }, (_, n) => `b-${String(n).padStart(3, '0')}`);
  await buyers.insertMany(
    ids.map((id) => ({ ...one, _id: id, name: nameOf(id), webhook_secret_hash: id })),
  );
  await campaignBuyers.insertMany(
    ids.map((id) => ({ ...terms, _id: linkId(campaign_id, id), buyer_id: id })),
  );
  await publishCampaign({ collections: bed.collections }, campaign_id);
  const [supplier] = market.account.suppliers;
  const of = { org_id: one.org_id, campaign_id, supplier_id: supplier?.id ?? '', changes: 1 };
  await leads.insertMany(
    ids.slice(0, 40).map((buyer_id) =>
      aLead({
        ...of,
        uncounted: true,
        created_at: new Date(),
        status: 'ACCEPTED',
        buyer_id,
        sales: [{ buyer_id, attempt: 1, price: 20e6, cost: 8e6, at: new Date() }],
      }),
    ),
  );
}

/** Groups in groups, the innermost of which is a fifth one. */
export const FIVE_DEEP = {
  all: [
    { field: 'state', operator: 'IN', value: ['CA', 'TX', 'NY'] },
    {
      any: [
        { field: 'email', operator: 'CONTAINS', value: '@' },
        {
          all: [
            { field: 'zip_code', operator: 'IS NOT EMPTY' },
            {
              any: [
                { field: 'source', operator: '==', value: 'website' },
                {
                  all: [
                    { field: 'first_name', operator: 'IS NOT EMPTY' },
                    { field: 'last_name', operator: 'IS NOT EMPTY' },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
  ],
};
