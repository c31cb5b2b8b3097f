/** Keys as they are stored: of the Actions API, and of suppliers. */

export const PERMISSION_AREAS = [
  'campaigns',
  'buyers',
  'suppliers',
  'leads',
  'funnels',
  'reports',
  'portal',
  'settings',
] as const;
export type PermissionArea = (typeof PERMISSION_AREAS)[number];
export type Permission = `${PermissionArea}:${'read' | 'write'}`;

interface KeyBase {
  /** SHA-256 of the key, hex. */
  _id: string;
  /** Its id; absent from keys older than such ids. */
  id?: string;
  /** The first characters of the key. */
  prefix?: string;
  org_id: string;
  name: string;
  created_at: Date;
  revoked_at?: Date;
  /** When it expires; absent: never. */
  expires_at?: Date;
}

/** Who made a key: another key of the organization, one of its people, or an operator of the installation. */
export interface KeyAuthor {
  kind: 'key' | 'person' | 'operator';
  /** Absent for an operator. */
  id?: string;
  name: string;
}

export interface OrgKeyDoc extends KeyBase {
  kind: 'org';
  permissions: Permission[];
  /** Absent from keys made before this was recorded. */
  created_by?: KeyAuthor;
  /** Its rate limits, where the operator has set them. */
  limits?: KeyLimits;
}
export interface SupplierKeyDoc extends KeyBase {
  kind: 'supplier';
  supplier_id: string;
  /** The supplier made it in addition to its main key, for another of its systems: it is rotated and revoked alone. */
  is_further?: true;
  /** To a minute; absent: not since uses are recorded. */
  last_used_at?: Date;
}
export type ApiKeyDoc = OrgKeyDoc | SupplierKeyDoc;

/** Maximum calls in any 60 seconds, and maximum writes among them. */
export interface KeyLimits {
  calls_per_minute: number;
  writes_per_minute: number;
}

/** Those of a key for which the operator has set none. */
export const DEFAULT_KEY_LIMITS: KeyLimits = { calls_per_minute: 120, writes_per_minute: 30 };

/** The instants of a minute's calls are in one document, which each call reads and writes. */
export const CALLS_MAX = 10_000;
