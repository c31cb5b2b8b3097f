import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { LinksScreen } from './linksScreen.js';

/** The buyers of a campaign, and their terms. */
export default function CampaignBuyers(): ReactNode {
  const { id = '' } = useParams();
  return <LinksScreen campaignId={id} side="buyer" />;
}
