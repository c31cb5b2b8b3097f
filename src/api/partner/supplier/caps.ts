/** What is left of a supplier's limits, and when they start again. */
import { z } from 'zod';
import { windowKeys } from '../../../fields/windowKeys.js';
import { capsLeft } from '../../../routing/rules/capsLeft.js';
import { resetOf } from '../../../routing/rules/capUsage.js';
import { createCapStore, supplierCap } from '../../../routing/store/caps.js';
import { createPingCountStore } from '../../../pings/store/pingCounts.js';
import { definePartnerCall, type PartnerContext } from '../call.js';
import { leftView } from '../leftView.js';
import { linksOf, type SupplierLink } from './links.js';
import { LimitLeft, Named, NoInput } from '../schemas/shared.js';

/** count: leads. budget: their payout. pings: requests. */
const CapLeft = LimitLeft.extend({ of: z.enum(['count', 'budget', 'pings']) });

export const getCapsLeft = definePartnerCall({
  name: 'get_caps_left',
  effect: 'read',
  input: NoInput,
  output: z.array(z.object({ campaign: Named, caps: z.array(CapLeft) })),
  async run(_input, context) {
    const { collections, clock, org, party_id } = context;
    const links = await linksOf(context);
    const idOf = ({ link }: SupplierLink) => supplierCap(link.campaign_id, party_id);
    const [counted, pings] = await Promise.all([
      createCapStore(collections.caps).read(links.map(idOf)),
      readPingCounts(links, context),
    ]);
    const at = { now: clock.now(), timeZone: org.time_zone };
    return links.map((one) => ({
      campaign: { id: one.campaign._id, name: one.campaign.name },
      caps: [
        ...capsLeft(one.link.caps, counted.get(idOf(one)), at).map(leftView),
        ...pingCapView(one, pings.get(one.link.campaign_id) ?? 0, at),
      ],
    }));
  },
});

/** Today's pings, by campaign. */
function readPingCounts(
  links: readonly SupplierLink[],
  { collections, clock, org, party_id: id }: PartnerContext,
): Promise<ReadonlyMap<string, number>> {
  const { day } = windowKeys(clock.now(), org.time_zone);
  const limited = links.filter(({ link }) => link.daily_ping_cap != null);
  const campaignIds = limited.map(({ link }) => link.campaign_id);
  return createPingCountStore(collections.pingCounts).read(
    { kind: 'supplier', id, day },
    campaignIds,
  );
}

function pingCapView(
  { link }: SupplierLink,
  used: number,
  { now, timeZone }: { now: Date; timeZone: string },
) {
  const { daily_ping_cap: limit } = link;
  if (limit == null) return [];
  const resets_at = resetOf('day', now, timeZone);
  const window = 'day' as const;
  return [
    { window, of: 'pings' as const, limit, used, left: Math.max(0, limit - used), resets_at },
  ];
}
