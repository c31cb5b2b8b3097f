/** Keys as they are stored: of the Actions API, and of suppliers. */
import type { KeyLimits } from './keyLimits.js';

export type PermissionArea =
  'campaigns' | 'buyers' | 'suppliers' | 'leads' | 'funnels' | 'reports' | 'portal' | 'settings';
export type Permission = `${PermissionArea}:${'read' | 'write'}`;

interface KeyBase {
  /** SHA-256 of the key, hex. */
  _id: string;
  org_id: string;
  name: string;
  created_at: Date;
  revoked_at?: Date;
  /** From then on it is refused; absent: never. */
  expires_at?: Date;
}

/** Who made a key: another key of the organization, one of its people, or an operator of the installation. */
export interface KeyAuthor {
  kind: 'key' | 'person' | 'operator';
  /** Absent of an operator. */
  id?: string;
  name: string;
}

export interface OrgKeyDoc extends KeyBase {
  kind: 'org';
  /** What it is called by; absent of keys from before there were such ids. */
  id?: string;
  /** How the key begins. */
  prefix?: string;
  permissions: Permission[];
  /** Absent of keys from before this was kept. */
  created_by?: KeyAuthor;
  /** How often it may call, where its operator has said so. */
  limits?: KeyLimits;
}
export interface SupplierKeyDoc extends KeyBase {
  kind: 'supplier';
  supplier_id: string;
  /** What it is called by; absent of keys from before there were such ids. */
  id?: string;
  /** How the key begins. */
  prefix?: string;
  /** The supplier has made it beside its main key, for another of its systems: it is rotated and revoked by itself. */
  is_further?: true;
}
export type ApiKeyDoc = OrgKeyDoc | SupplierKeyDoc;
