import type { ReactNode } from 'react';
import type { BuyerTabProps } from './words.js';
import { PartyPortal } from './partyPortal.js';

/** The portal that the buyer's people use. */
export default function BuyerPortal({ buyer }: BuyerTabProps): ReactNode {
  return <PartyPortal side="buyer" id={buyer.id} />;
}
