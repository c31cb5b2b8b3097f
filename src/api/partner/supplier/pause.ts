/** A supplier pauses its posts: at once where the operator allows it, otherwise by a request. */
import { setSupplierStatus } from '../../../account/links/partnerStatus.js';
import { createChangeRequest } from '../../../portal/changeRequests.js';
import { definePartnerCall, type PartnerContext } from '../call.js';
import { PauseSupplier, ResumeSupplier } from '../schemas/supplier.js';
import { linkOf } from './links.js';

type Status = 'active' | 'paused';

const PAUSING = { effect: 'write', permits: 'pause' } as const;

export const pauseSupplier = definePartnerCall({
  name: 'pause',
  ...PAUSING,
  ...PauseSupplier,
  run: ({ campaign_id }, context) => setStatus('paused', campaign_id, context),
});

export const resumeSupplier = definePartnerCall({
  name: 'resume',
  ...PAUSING,
  ...ResumeSupplier,
  run: ({ campaign_id }, context) => setStatus('active', campaign_id, context),
});

async function setStatus(
  status: Status,
  campaign_id: string | undefined,
  context: PartnerContext,
): Promise<{ status: Status; change_id: string | null }> {
  if (campaign_id !== undefined) await linkOf(context, campaign_id);
  if (context.settings.pause === 'request') return askFor(status, campaign_id, context);
  await setSupplierStatus(context, { supplier_id: context.party_id, campaign_id }, status);
  return { status, change_id: null };
}

async function askFor(
  status: Status,
  campaign_id: string | undefined,
  { collections, clock, org_id, party_id, signedIn }: PartnerContext,
) {
  const { id, name } = signedIn.person;
  const request = await createChangeRequest(
    {
      org_id,
      party: { side: 'supplier', party_id },
      campaign_id,
      asked: { status },
      reason: null,
      by: { kind: 'person', id, name },
    },
    { collections, clock },
  );
  const now = request.before.status ?? status;
  return { status: now, change_id: request._id };
}
