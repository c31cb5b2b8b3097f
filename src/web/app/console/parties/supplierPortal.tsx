import type { ReactNode } from 'react';
import { PartyPortal } from './partyPortal.js';
import type { SupplierTabProps } from './words.js';

/** The portal that the supplier's people use. */
export default function SupplierPortal({ supplier }: SupplierTabProps): ReactNode {
  return <PartyPortal side="supplier" id={supplier.id} />;
}
