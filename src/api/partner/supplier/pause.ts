/** A supplier pauses its posts: at once where the operator allows it, otherwise by a request. */
import { setSupplierLinkStatus, setSupplierStatus } from '../../../account/links/partnerStatus.js';
import { createChangeRequest } from '../../../portal/changeRequests.js';
import { definePartnerCall, type PartnerContext } from '../call.js';
import { PauseSupplier, ResumeSupplier } from '../schemas/supplier.js';
import { linkOf } from './links.js';

type Status = 'active' | 'paused';

export const pauseSupplier = definePartnerCall({
  name: 'pause',
  side: 'supplier',
  effect: 'write',
  needs: 'admin',
  permits: 'pause',
  ...PauseSupplier,
  run: ({ campaign_id }, context) => setStatus('paused', campaign_id, context),
});

export const resumeSupplier = definePartnerCall({
  name: 'resume',
  side: 'supplier',
  effect: 'write',
  needs: 'admin',
  permits: 'pause',
  ...ResumeSupplier,
  run: ({ campaign_id }, context) => setStatus('active', campaign_id, context),
});

async function setStatus(
  status: Status,
  campaignId: string | undefined,
  context: PartnerContext,
): Promise<{ status: Status; change_id: string | null }> {
  const { collections, org_id, party_id: supplier_id, settings, author } = context;
  if (campaignId !== undefined) await linkOf(context, campaignId);
  if (settings.pause === 'request') return askFor(status, campaignId, context);
  const supplier = { org_id, supplier_id };
  await (campaignId === undefined
    ? setSupplierStatus(collections, supplier, status, author)
    : setSupplierLinkStatus(collections, { ...supplier, campaign_id: campaignId }, status, author));
  return { status, change_id: null };
}

async function askFor(
  status: Status,
  campaignId: string | undefined,
  { collections, clock, org_id, party_id, signedIn }: PartnerContext,
) {
  const { id, name } = signedIn.person;
  const request = await createChangeRequest(
    {
      org_id,
      party: { side: 'supplier', party_id },
      campaign_id: campaignId,
      asked: { status },
      reason: null,
      by: { kind: 'person', id, name },
    },
    { collections, clock },
  );
  const now = request.before.status ?? status;
  return { status: now, change_id: request._id };
}
