import type { ReactNode } from 'react';
import type { BuyerTabProps } from './words.js';
import { PartyLeads } from './partyLeads.js';

/** What the buyer has bought. */
export default function BuyerLeads({ buyer }: BuyerTabProps): ReactNode {
  return <PartyLeads party={{ buyer_id: buyer.id }} />;
}
