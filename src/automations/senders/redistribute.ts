import type { Envelope } from '../../events/rules/events.js';
import type { Sender } from './sender.js';

/** Sells the lead again in another campaign, to no buyer that may have it. The delivery's id identifies the order. */
export const redistribute: Sender<'REDISTRIBUTE'> = async (
  { id, lead, envelope },
  { target },
  deps,
) => {
  if (!deps.redistribute) return { kind: 'refused', reason: 'leads are not sold again here' };
  if (!lead) return { kind: 'refused', reason: 'there is no lead to be sold again' };
  const { campaign_id } = target;
  const returned_by = returnedBy(envelope);
  const answer = await deps.redistribute({ id, lead, campaign_id, returned_by });
  if ('refused' in answer) return { kind: 'refused', reason: answer.refused };
  if ('busy' in answer) return { kind: 'failed', reason: answer.busy, ownLimit: true };
  return { kind: 'delivered' };
};

const returnedBy = ({ type, data: { buyer_id } }: Envelope): string | undefined =>
  type === 'lead.returned' && typeof buyer_id === 'string' ? buyer_id : undefined;
