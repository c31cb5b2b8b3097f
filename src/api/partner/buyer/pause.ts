/** Pauses and resumes a buyer's leads. */
import { setBuyerStatus } from '../../../account/links/partnerStatus.js';
import { findBuyer } from '../../../account/buyers/buyers.js';
import { createChangeRequest } from '../../../portal/changeRequests.js';
import { definePartnerCall, type PartnerContext } from '../call.js';
import { PauseBuyer, ResumeBuyer } from '../schemas/buyerTerms.js';
import { requireLink } from './campaigns.js';
import { asChangePerson } from './changes.js';

type Status = 'active' | 'paused';

const pausing = <N extends string>(name: N, schemas: typeof PauseBuyer, status: Status) =>
  definePartnerCall({
    name,
    effect: 'write',
    permits: 'pause',
    ...schemas,
    async run({ campaign_id }, context) {
      if (campaign_id !== undefined) await requireLink(campaign_id, context);
      const change_id =
        context.settings.pause === 'request'
          ? await askFor(status, campaign_id, context)
          : await set(status, campaign_id, context);
      return { status: await statusOf(campaign_id, context), change_id };
    },
  });

export const pauseBuyer = pausing('pause', PauseBuyer, 'paused');
export const resumeBuyer = pausing('resume', ResumeBuyer, 'active');

async function set(status: Status, campaign_id: string | undefined, context: PartnerContext) {
  await setBuyerStatus(context, { buyer_id: context.party_id, campaign_id }, status);
  return null;
}

/** @returns the id of the request; null when the status is set already */
async function askFor(status: Status, campaign_id: string | undefined, context: PartnerContext) {
  if ((await statusOf(campaign_id, context)) === status) return null;
  const { org_id, party_id } = context;
  const request = await createChangeRequest(
    {
      org_id,
      party: { side: 'buyer', party_id },
      campaign_id,
      asked: { status },
      reason: null,
      by: asChangePerson(context),
    },
    context,
  );
  return request._id;
}

async function statusOf(campaign_id: string | undefined, context: PartnerContext): Promise<Status> {
  const { status } =
    campaign_id === undefined
      ? await findBuyer(context, context.party_id)
      : await requireLink(campaign_id, context);
  return status;
}
