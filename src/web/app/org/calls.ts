/** The actions of the organization's screens, with their inputs and outputs. */
import type { z } from 'zod';
import type {
  MemberView,
  OrgRoleName,
  PartnerRoleName,
  PortalMemberView,
  SessionView,
} from '../../../api/actions/schemas/members.js';
import type {
  ChangeRequestView,
  ChangeStateName,
  PortalRow,
  PortalView,
} from '../../../api/actions/schemas/portal.js';
import { hooksFor } from '../lib/useCalls.js';

interface Action<I, O> {
  input: z.ZodType<unknown, I>;
  output: z.ZodType<O>;
}

export type Side = 'buyer' | 'supplier';
export const isSide = (text: string | undefined): text is Side =>
  text === 'buyer' || text === 'supplier';

export type PartyInput = { buyer_id: string } | { supplier_id: string };
type Page = { limit?: number; cursor?: string };
type Place = PartyInput | { side: Side };
type Enabling = { enabled: boolean };

/** Null resets a setting. */
export type SettingsInput = Partial<
  Record<PortalFlag, boolean | null> &
    Record<'display_name' | 'primary_color' | 'accent_color' | 'logo', string | null> & {
      fields: string[] | null;
      pause: Portal['pause'] | null;
    }
>;
export type PortalFlag =
  'exports' | 'returns' | 'change_requests' | 'resend' | 'show_buyer_names' | 'show_prices';

export type Portal = z.output<typeof PortalView>;
export type OpenPortal = z.output<typeof PortalRow>;
export type ChangeRequest = z.output<typeof ChangeRequestView>;
type Member = z.output<typeof MemberView>;
type PortalMember = z.output<typeof PortalMemberView>;
type Role = z.output<typeof OrgRoleName>;

interface Actions {
  list_members: Action<object, Member[]>;
  invite_member: Action<
    { email: string; role: Role },
    { member: Member; invite_url: string | null }
  >;
  update_member: Action<{ member_id: string; role: Role }, Member>;
  remove_member: Action<{ member_id: string }, Member>;
  list_sessions: Action<{ member_id: string }, z.output<typeof SessionView>[]>;
  revoke_session: Action<{ member_id: string; session_id: string }, { id: string }>;
  list_buyers: Action<Page, { id: string; name: string }[]>;
  list_suppliers: Action<Page, { id: string; name: string }[]>;
  list_portals: Action<Page & { side: Side }, OpenPortal[]>;
  get_portal_settings: Action<Place, Portal>;
  configure_portal_settings: Action<Place & SettingsInput, Portal>;
  enable_buyer_portal: Action<{ buyer_id: string } & Enabling, Portal>;
  enable_supplier_portal: Action<{ supplier_id: string } & Enabling, Portal>;
  get_portal_members: Action<PartyInput, PortalMember[]>;
  add_portal_member: Action<
    PartyInput & { email: string; role: z.output<typeof PartnerRoleName> },
    { member: PortalMember; invite_url: string | null }
  >;
  remove_portal_member: Action<{ member_id: string }, PortalMember>;
  list_change_requests: Action<
    Page & { state?: z.output<typeof ChangeStateName> },
    ChangeRequest[]
  >;
  resolve_change_request: Action<
    { request_id: string; result: 'approve' | 'refuse'; note: string | null },
    ChangeRequest
  >;
}

export const { useCall, usePages, useWrite } = hooksFor<Actions>();
