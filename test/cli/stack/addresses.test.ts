import { describe, expect, it } from '@jest/globals';
import { curlLine, formatAddresses } from '../../../cli/stack/addresses.js';
import { temporalLink } from '../../../src/platform/temporal/workflowLink.js';
import { createPaint } from '../../../cli/output/paint.js';
import type { DemoAccount } from '../../../src/demo/account.js';

const account: DemoAccount = {
  org_id: 'o',
  currency: 'USD',
  org_api_key: 'k',
  read_only_api_key: 'r',
  suppliers: { web: { id: 'supplier', api_key: 'secret' }, partner: { id: 'p', api_key: 'x' } },
  campaigns: { direct: 'campaign', pingPost: 'q', oneBuyer: 'b' },
  buyers: {
    premier: { id: '1', webhook_secret: '' },
    steady: { id: '2', webhook_secret: '' },
    open: { id: '3', webhook_secret: '' },
  },
};
const url = 'http://127.0.0.1:8080';

describe('the curl line', () => {
  const sent = (line: string) =>
    JSON.parse(/-d '(.*)'$/.exec(line)?.[1] ?? '') as Record<string, string>;

  it('sends a whole lead with its key', () => {
    const line = curlLine(url, account, new Date());
    expect(line).toContain(`curl -sS ${url}/api/v1/ingest`);
    expect(line).toContain(`-H 'x-api-key: secret'`);
    expect(sent(line)).toMatchObject({
      flo_campaign_id: 'campaign',
      flo_supplier_id: 'supplier',
      first_name: 'Ada',
      state: 'CA',
      phone: expect.stringMatching(/^\d{10}$/),
    });
  });

  it('sends another lead at each start', () => {
    const first = sent(curlLine(url, account, new Date(1_000_000)));
    const second = sent(curlLine(url, account, new Date(1_001_000)));
    expect(first.phone).not.toBe(second.phone);
    expect(first.email).not.toBe(second.email);
  });
});

describe('addresses', () => {
  it('are aligned', () => {
    const rows = [
      ['API', 'a'],
      ['Temporal UI', 'b'],
    ] as const;
    expect(formatAddresses(rows, createPaint(false))).toBe('  API          a\n  Temporal UI  b');
  });

  it('lead to the workflows of a lead in the Temporal UI', () => {
    expect(temporalLink('http://127.0.0.1:8233', 'default', 'id')).toBe(
      'http://127.0.0.1:8233/namespaces/default/workflows?query=LeadId%3D%22id%22',
    );
  });
});
