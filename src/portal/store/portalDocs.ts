/** What the portal keeps. */
import type { Binary } from 'mongodb';
import type { PortalRules, Side } from '../settingsSchema.js';

export interface PortalSettingsDoc {
  /** `${org_id}:${side}` for all partners of a side, `${org_id}:${side}:${party_id}` for one. */
  _id: string;
  org_id: string;
  side: Side;
  /** Absent: for all partners of the side. */
  party_id?: string;
  /** Of one partner: its portal is open. */
  is_enabled?: boolean;
  /** What was set; the rest is as the side has it, or the default. */
  rules?: Partial<PortalRules>;
  logo_id?: string;
  created_at: Date;
  updated_at: Date;
}

export interface LogoDoc {
  /** `${org_id}:${logo_id}` */
  _id: string;
  org_id: string;
  type: 'image/png' | 'image/jpeg';
  bytes: Binary;
  created_at: Date;
}
