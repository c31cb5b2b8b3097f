/** The records of partners' portals, as the screens name them. */
import type { InputOf, OutputOf, RowOf } from '../../lib/useActions.js';

export type Side = 'buyer' | 'supplier';
export const isSide = (text: string | undefined): text is Side =>
  text === 'buyer' || text === 'supplier';

export type PartyInput = { buyer_id: string } | { supplier_id: string };

/** Null resets a setting. */
export type SettingsInput = Omit<
  InputOf<'configure_portal_settings'>,
  'buyer_id' | 'supplier_id' | 'side'
>;
export type PortalFlag =
  'exports' | 'returns' | 'change_requests' | 'resend' | 'show_buyer_names' | 'show_prices';

export type Portal = OutputOf<'get_portal_settings'>;
export type ChangeRequest = RowOf<'list_change_requests'>;
