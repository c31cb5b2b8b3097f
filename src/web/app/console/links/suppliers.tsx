import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { LinksScreen } from './linksScreen.js';

/** The suppliers of a campaign, and their terms. */
export default function CampaignSuppliers(): ReactNode {
  const { id = '' } = useParams();
  return <LinksScreen campaignId={id} side="supplier" />;
}
