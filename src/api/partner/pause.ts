/** A partner pauses and resumes itself: at once where the operator allows it, otherwise by a request. */
import { z } from 'zod';
import { findBuyer } from '../../account/buyers/buyers.js';
import { setPartnerStatus } from '../../account/links/partnerStatus.js';
import { findSupplier } from '../../account/suppliers/suppliers.js';
import { createChangeRequest } from '../../portal/changeRequests.js';
import { requireLink } from './buyer/campaigns.js';
import { asChangePerson } from './buyer/changes.js';
import { definePartnerCall, type PartnerContext } from './call.js';
import { linkOf } from './supplier/links.js';
import { CampaignId } from './schemas/shared.js';

type Status = 'active' | 'paused';

const pausing = <N extends string>(name: N, status: Status) =>
  definePartnerCall({
    name,
    effect: 'write',
    permits: 'pause',
    /** Without a campaign: the partner as a whole. */
    input: z.strictObject({ campaign_id: CampaignId.optional() }),
    output: z.object({
      status: z.enum(['active', 'paused']),
      /** The operator decides: this is the request. Null: it is done. */
      change_id: z.string().nullable(),
    }),
    async run({ campaign_id }, context) {
      const { org_id, side, party_id, settings } = context;
      const before = await statusOf(campaign_id, context);
      if (settings.pause !== 'request') {
        await setPartnerStatus(context, context, campaign_id, status);
        return { status, change_id: null };
      }
      // `createChangeRequest` refuses a supplier that requests the status it already has.
      if (side === 'buyer' && before === status) return { status, change_id: null };
      const request = await createChangeRequest(
        {
          org_id,
          party: { side, party_id },
          campaign_id,
          asked: { status },
          reason: null,
          by: asChangePerson(context),
        },
        context,
      );
      return { status: before, change_id: request._id };
    },
  });

export const pause = pausing('pause', 'paused');
export const resume = pausing('resume', 'active');

/** Of its link to the campaign; without a campaign, of the partner as a whole. */
async function statusOf(campaign_id: string | undefined, context: PartnerContext): Promise<Status> {
  const { side, party_id } = context;
  if (campaign_id === undefined) {
    const find = side === 'buyer' ? findBuyer : findSupplier;
    return (await find(context, party_id)).status;
  }
  if (side === 'buyer') return (await requireLink(campaign_id, context)).status;
  return (await linkOf(context, campaign_id)).link.status;
}
