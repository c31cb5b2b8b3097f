import type { ReactNode } from 'react';
import { PartyLeads } from './partyLeads.js';
import type { SupplierTabProps } from './words.js';

/** What the supplier has sent. */
export default function SupplierLeads({ supplier }: SupplierTabProps): ReactNode {
  return <PartyLeads party={{ supplier_id: supplier.id }} />;
}
