/** Exports of leads: streamed, and told apart from a cut one. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { aLead, before } from '../../../support/storedRows.js';
import { setUp, startActionsApi, type ActionsApi, type Org } from '../../../support/api.js';
import { waitFor } from '../../../support/waitFor.js';

let api: ActionsApi;
beforeAll(async () => {
  api = await startActionsApi();
});
afterAll(() => api.stop());

/** Begins an export; its answer is not read yet. */
async function begin(org: Org, accept: string, input: object = {}): Promise<IncomingMessage> {
  const asked = request(`${api.url}/api/v1/actions/export_leads`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await org.sharedKey()}`,
      'content-type': 'application/json',
      accept,
    },
  });
  asked.end(JSON.stringify(input));
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return response;
}

const exported = async (org: Org, accept: string, input: object = {}) =>
  text(await begin(org, accept, input));

describe('export_leads', () => {
  const COUNT = 1_203;
  let org: Org;
  let campaign: { id: string };
  beforeAll(async () => {
    org = await api.org();
    const made = await setUp(api, org);
    campaign = made.campaign;
    await api.collections.leads.insertMany(
      Array.from({ length: COUNT }, (_, n) =>
        aLead({
          org_id: org.id,
          campaign_id: campaign.id,
          supplier_id: made.supplier.id,
          status: 'UNMATCHED',
          fields: { phone: `+1555${1_000_000 + n}`, first_name: '=cmd', status: 'own' },
          created_at: before(n),
        }),
      ),
    );
  });

  it('streams every lead once, newest first, with the chosen columns, and ends with their number', async () => {
    const fields = ['phone', 'campaign', 'first_name', 'status', 'fields.status'];
    const lines = (await exported(org, 'text/csv', { fields })).split('\r\n');
    expect(lines[0]).toBe('id,phone,campaign,first_name,status,fields.status');
    expect(lines[1]).toMatch(/^[0-9a-f-]{36},\+15551000000,Auto,'=cmd,UNMATCHED,own$/);
    expect(lines.slice(-2)).toEqual([`#end ${COUNT},,,,,`, '']);
    const phones = lines.slice(1, -2).map((line) => line.split(',')[1]);
    expect(phones).toEqual(Array.from({ length: COUNT }, (_, n) => `+1555${1_000_000 + n}`));
  });

  it('streams JSON lines, filtered as a list, and pages the same rows otherwise', async () => {
    const input = { campaign_id: campaign.id, status: 'UNMATCHED', fields: ['phone'] };
    const rows = (await exported(org, 'application/x-ndjson', input)).trim().split('\n');
    expect(JSON.parse(rows.pop() ?? '')).toEqual({ end: true, rows: COUNT });
    const page = await api.done<{ leads: object[]; next_cursor: string }>(org, 'export_leads', {
      ...input,
      limit: 500,
    });
    expect(page.leads).toEqual(rows.slice(0, 500).map((row) => JSON.parse(row) as object));
    expect(page.next_cursor).not.toBeNull();
    expect(await exported(org, 'text/csv', { status: 'ACCEPTED', fields: ['phone'] })).toBe(
      'id,phone\r\n#end 0,\r\n',
    );
  });

  it('shows no contact data unless it is asked for', async () => {
    expect(await exported(org, 'text/csv')).not.toContain('+1555');
    expect(await exported(org, 'application/x-ndjson')).not.toContain('+1555');
  });

  it('refuses before its first byte what it cannot export, and is recorded', async () => {
    const refused = async (input: object) => {
      const response = await begin(org, 'text/csv', input);
      return [response.statusCode, (JSON.parse(await text(response)) as { error: string }).error];
    };
    expect(await refused({ campaign_id: 'none' })).toEqual([400, 'record_not_found']);
    expect(await refused({ fields: ['phone', 'phone'] })).toEqual([422, 'invalid_input']);
    expect(await refused({ status: 'SOLD' })).toEqual([422, 'invalid_input']);
    await exported(org, 'text/csv', { phone: '+15551000000' });
    const read = await api.collections.auditReads.findOne(
      { org_id: org.id, action: 'export_leads', 'input.phone': { $exists: true } },
      { sort: { at: -1 } },
    );
    expect(read?.input.phone).toBe('[hidden]');
  });

  it('waits for its client, is the only one of its organization, and ends when its client is gone', async () => {
    const long = await api.org();
    // More than the buffers of a connection take.
    const note = 'x'.repeat(15_000);
    await api.collections.leads.insertMany(
      Array.from({ length: 2_000 }, () => aLead({ org_id: long.id, extra: { note } })),
    );
    const response = await begin(long, 'text/csv', { fields: ['note'] });
    const other = await begin(long, 'text/csv');
    expect([other.statusCode, other.headers['retry-after']]).toEqual([429, '10']);
    other.resume();
    expect((await begin(org, 'text/csv')).statusCode).toBe(200);
    response.destroy();
    await waitFor(
      async () => (await exported(long, 'text/csv', { limit: 1 })).includes('#end 2000'),
      { message: 'the export of a client that is gone has ended' },
    );
  });
});
