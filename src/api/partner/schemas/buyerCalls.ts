/**
 * The calls of a buyer's portal by name, as types: a screen names a call and gets the types of its input and output.
 */
import type * as buyer from './buyer.js';
import type * as endpoint from './buyerEndpoint.js';
import type * as terms from './buyerTerms.js';
import type { TeamSchemas } from './shared.js';

export interface BuyerSchemas extends TeamSchemas {
  list_sales: typeof buyer.ListSales;
  get_sale: typeof buyer.GetSale;
  record_outcome: typeof buyer.RecordOutcome;
  import_outcomes: typeof buyer.ImportOutcomes;
  list_returns: typeof buyer.ListReturns;
  request_return: typeof buyer.RequestReturn;
  get_return_allowance: typeof buyer.GetReturnAllowance;
  get_usage: typeof buyer.GetUsage;
  get_daily_rates: typeof buyer.GetDailyRates;
  get_endpoint: typeof endpoint.GetEndpoint;
  update_endpoint: typeof endpoint.UpdateEndpoint;
  send_test_lead: typeof endpoint.SendTestLead;
  list_attempts: typeof endpoint.ListAttempts;
  resend_delivery: typeof endpoint.ResendDelivery;
  rotate_secret: typeof endpoint.RotateSecret;
  get_postback_guide: typeof endpoint.GetPostbackGuide;
  try_postback: typeof endpoint.TryPostback;
  get_terms: typeof terms.GetTerms;
  pause: typeof terms.PauseBuyer;
  resume: typeof terms.ResumeBuyer;
  request_change: typeof terms.RequestChange;
  list_changes: typeof terms.ListChanges;
  withdraw_change: typeof terms.WithdrawChange;
}
