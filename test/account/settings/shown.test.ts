import { describe, expect, it } from '@jest/globals';
import { pingSettingsView } from '../../../src/account/campaigns/pingSettings.js';
import { DEFAULT_PING_SETTINGS } from '../../../src/account/rules/pingSettings.js';
import { BUYER } from '../../../src/account/settings/buyerSettings.js';
import { BUYER_LINK } from '../../../src/account/settings/buyerLinkTerms.js';
import { CAMPAIGN } from '../../../src/account/settings/campaignSettings.js';
import { SUPPLIER } from '../../../src/account/settings/supplierSettings.js';
import { BuyerPingView } from '../../../src/api/actions/schemas/ping.js';
import { ReturnSettingsView } from '../../../src/api/actions/schemas/returns.js';

describe('settings that another release stored', () => {
  it('are shown whatever the bounds of this release are', () => {
    const email = 'x'.repeat(300);
    expect(BUYER.show({ ...BUYER.defaults, email })).toMatchObject({ email });
    const [vertical, conversion_window_days] = ['x'.repeat(300), 999];
    const dedupe = { ...CAMPAIGN.defaults.dedupe, window_days: 9_999 };
    expect(
      CAMPAIGN.show({ ...CAMPAIGN.defaults, dedupe, vertical, conversion_window_days }),
    ).toMatchObject({ dedupe, vertical, conversion_window_days });
    const rate_limit = { per_second: 1_000_000, burst_per_second: 1, burst_seconds: 9_999 };
    expect(SUPPLIER.show({ ...SUPPLIER.defaults, rate_limit })).toMatchObject({ rate_limit });
    const margin = { percent: 100 / 3 };
    expect(pingSettingsView({ ...DEFAULT_PING_SETTINGS, margin })).toMatchObject({ margin });
  });

  it('are shown in the form in which they are written', () => {
    const link = { ...BUYER_LINK.defaults, weight: 1e9, priority: 1.5, price: 12_500_000 };
    const margin = { fixed: 2_500_000 };
    expect(BUYER_LINK.show({ ...link, margin, conversion_price: null })).toMatchObject({
      weight: 1e9,
      priority: 1.5,
      price: 12.5,
      margin: { fixed: 2.5 },
      conversion_price: null,
    });
  });

  it('are shown without those that this release does not know', () => {
    const ping = { enabled: true, url: 'https://b.example', timeout_ms: 9_000, fields: [] };
    const shown = { ...ping, headers: {}, response: null };
    expect(BuyerPingView.parse({ ...shown, later: 1 })).toEqual(shown);
    const flags = { allowed: true, reverse_cost: false, resell: false, max_age_days: 999 };
    const returns = { ...flags, max_share_pct: 5, max_per_month: 5, auto_accept_hours: null };
    expect(ReturnSettingsView.parse({ ...returns, later: 1 })).toEqual(returns);
  });
});
