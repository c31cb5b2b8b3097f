/**
 * What each list shows people, in order of worth: status and names first, so that a narrow terminal leaves out what
 * matters least. An id of a campaign, a buyer, a supplier shows its name. Read when the program is built: the columns
 * are in its list of commands.
 */
import { BUYER } from '../../src/account/settings/buyerSettings.js';
import { CAMPAIGN } from '../../src/account/settings/campaignSettings.js';
import type { Settings } from '../../src/account/settings/settingsTable.js';
import { SUPPLIER } from '../../src/account/settings/supplierSettings.js';
import type { ActionName } from '../../src/api/actions/names.js';
import { getOwn } from '../../src/lib/getOwn.js';
import type { Column } from './manifest.js';

/** Keys of rows, with blanks between them; a list without a line here shows all its plain values, ordered by `RANKS`. */
export const WORTH: Readonly<Record<string, string>> = {
  list_campaigns:
    'status name id distribution_method vertical daily_cap daily_budget total_cap max_sells routing_method version created_at',
  get_plan_history: 'version at by action reverted_to changes',
  list_buyers: 'status name id test_mode tls_problem email phone location created_at',
  list_suppliers: 'status name id test_mode created_at',
  get_leads:
    'created_at status name buyer_id price id campaign_id supplier_id state cost revenue outcome zip_code',
  list_returns:
    'requested_at state buyer_id reason lead_id note auto_accept_at campaign_id resolution_note resolved_at resale_refused id',
  list_automations: 'status name trigger id campaign_id disabled_reason failing_since created_at',
  list_events: 'created_at type lead_id id data',
  list_event_deliveries:
    'created_at state type automation_id reason attempts http_status due_at lead_id event_id id',
  list_suppressions: 'name scope entries target_id id uploaded_at',
  list_funnels:
    'status name campaign live_url id has_unpublished_changes supplier template published_at updated_at',
  list_funnel_templates: 'name title description languages',
  list_portals: 'side party updated_at created_at',
  get_portal_members: 'state name email role id since expires_at',
  list_members: 'state name email role id since expires_at',
  list_change_requests:
    'requested_at state party campaign changes reason id requested_by note resolved_at resolved_by',
  list_sessions: 'seen_at via address device id user_agent created_at expires_at',
  list_api_keys:
    'name prefix last_used_at expires_at revoked_at id permissions created_by created_at',
  list_audit: 'at outcome action key person party error id',
  get_lead_breakdown: 'label count accepted revenue cost profit id',
  list_deliveries:
    'state buyer_id why next_try_at created_at lead_id campaign_id tries expires_at supplier_id id http_status',
  get_cap_usage:
    'used_pct campaign_id buyer_id supplier_id window of used limit left resets_at held scope',
  list_buyer_health:
    'breaker name waiting unknown oldest_at p50_ms p95_ms accepted rejected failed unanswered status id',
  list_pings:
    'created_at state campaign_id supplier_id best_bid reason ping_id lead_id expires_at redeemed_at',
  search: 'type name status detail matched id',
  get_buyer_reconciliation:
    'campaign sent accepted rejected unknown sales returned revenue expired converted not_qualified conversion_revenue reversed',
};

/** The settings that rows of a list have, which know their labels. */
const SETTINGS: Partial<Record<ActionName, Settings>> = {
  list_campaigns: CAMPAIGN.settings,
  list_buyers: BUYER.settings,
  list_suppliers: SUPPLIER.settings,
};

/** For lists without a line in `WORTH`: the earlier a key fits, the more it is worth. */
const RANKS = [
  /^(status|state|result|outcome)$/,
  /^(name|title|label)$/,
  /^(buyer|supplier|campaign|automation|funnel)(_id)?$/,
  /^(text|message|reason|advice|hint)$/,
  /(price|revenue|cost|profit|budget|bid)$/,
  /^at$|_at$/,
];
/** After all others. */
const LAST = /^id$|_id$/;

/** What is known of a part of a row. */
export interface RowPart {
  key: string;
  /** It is a text, a number or a truth, not a list or an object. */
  isPlain: boolean;
}

/** The columns of a list for people, the most worth first. */
export function columnsFor(action: ActionName, parts: readonly RowPart[]): Column[] {
  const known = new Set(parts.map(({ key }) => key));
  const declared = getOwn(WORTH, action)?.split(' ');
  const keys = declared?.filter((key) => known.has(key)) ?? ranked(parts);
  const settings = getOwn<Settings | undefined>(SETTINGS, action);
  return keys.map((key) => ({ key, title: shorter(key, getOwn(settings, key)?.label) }));
}

/** The label of a setting, where it is shorter than its key. */
const shorter = (key: string, label: string | undefined): string | undefined =>
  label !== undefined && label.length < key.length ? label : undefined;

function ranked(parts: readonly RowPart[]): string[] {
  const keys = parts.flatMap(({ key, isPlain }) => (isPlain ? [key] : []));
  // The name beside an id is shown in its place.
  const others = keys.filter(
    (key) => !key.endsWith('_name') || !keys.includes(key.replace(/_name$/, '_id')),
  );
  const rank = (key: string): number => {
    const found = RANKS.findIndex((one) => one.test(key));
    if (found !== -1) return found;
    return LAST.test(key) ? RANKS.length + 1 : RANKS.length;
  };
  return others.toSorted((a, b) => rank(a) - rank(b));
}
