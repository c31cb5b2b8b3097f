/** Data that a partner may never see is in no byte of any answer, in bodies or headers. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PartnerCall } from '../../../src/api/partner/call.js';
import { PORTALS } from '../../../src/api/partner/registry.js';
import { everythingIn } from '../../support/everything.js';
import type { PortalReply } from '../../support/portal.js';
import { MARKERS, startPartnerBed, type PartnerBed } from './partnerBed.js';
import { BUYER_INPUTS, SUPPLIER_INPUTS, TEAM_INPUTS } from './partnerInputs.js';

type Side = 'buyer' | 'supplier';

const bytesOf = ({ status, headers, text }: PortalReply): string =>
  `${status}\n${[...headers].map(([name, value]) => `${name}: ${value}`).join('\n')}\n${text}`;

/** Every notation of a number. */
const numberWritten = (value: number): string[] => [String(value), String(Math.round(value * 1e6))];

const forbiddenTo = (side: Side, { ids }: PartnerBed): string[] => {
  const both = [MARKERS.hiddenValue, 'MRK-hidden-label', 'secret_income', MARKERS.hiddenPhone];
  const sides = {
    buyer: [
      ...both,
      ...numberWritten(MARKERS.cost),
      ...numberWritten(MARKERS.rivalPrice),
      ...numberWritten(MARKERS.price - MARKERS.cost),
      MARKERS.rivalNote,
      MARKERS.rivalAnswer,
      MARKERS.rivalName,
      MARKERS.supplierName,
      ids.rival,
      ids.supplier,
      'rival-only@example.com',
    ],
    // The supplier's own ingest answer names the buyer, by an id, so that id is not forbidden.
    supplier: [
      ...numberWritten(MARKERS.price),
      ...numberWritten(MARKERS.rivalPrice),
      ...numberWritten(MARKERS.price - MARKERS.cost),
      MARKERS.rivalNote,
      MARKERS.rivalAnswer,
      MARKERS.rivalName,
    ],
  };
  return sides[side];
};

const inputOf = (side: Side, name: string) =>
  ({ ...TEAM_INPUTS, ...(side === 'buyer' ? BUYER_INPUTS : SUPPLIER_INPUTS) })[name];

/** Reads first: the second round reads what the writes leave behind. */
const callsOf = (side: Side): string[] => {
  const own: readonly PartnerCall[] = PORTALS[side].calls;
  const reads = own.filter(({ effect }) => effect === 'read').map(({ name }) => name);
  const writes = own.filter(({ effect }) => effect === 'write').map(({ name }) => name);
  return [...reads, ...writes, ...reads.map((name) => name)];
};

let bed: PartnerBed;
beforeAll(async () => {
  bed = await startPartnerBed();
});
afterAll(() => bed.stop());

// Before the calls below, which change what the buyer and its lead are.
describe('a hidden field', () => {
  it.each([
    ['a phone', MARKERS.hiddenPhone],
    ['a part of an answer', MARKERS.hiddenValue],
  ])('is not searched by: %s', async (_what, search) => {
    const found = await bed.clients.buyer.call('list_sales', { search });
    expect(found.json).toMatchObject({ data: [], next_cursor: null });
  });

  it('is searched where it is shown', async () => {
    const found = await bed.clients.buyer.call('list_sales', { search: 'Shown@Example.com' });
    expect(found.json).toMatchObject({ data: [{ lead_id: bed.leadId }] });
  });

  it('identifies no lead in an import or a trial, without a hint that the lead exists', async () => {
    const { buyer } = bed.clients;
    const { campaign } = bed.ids;
    const csv =
      'campaign_id,match_field,match_value,outcome\n' +
      `${campaign},secret_income,${MARKERS.hiddenValue},converted\n` +
      `${campaign},secret_incom,${MARKERS.hiddenValue},converted\n`;
    const { json } = await buyer.call('import_outcomes', { csv });
    const [hidden, unknown] = (json?.data as { report: { message: string }[] }).report;
    expect(hidden).toMatchObject({ result: 'refused', path: 'match_field', code: 'not_allowed' });
    expect(hidden?.message).toBe(unknown?.message.replace('secret_incom', 'secret_income'));
    const body = { campaign_id: campaign, phone: MARKERS.hiddenPhone, outcome: 'converted' };
    const tried = await buyer.call('try_postback', { body });
    expect(tried.json).toMatchObject({ data: { http_status: 400, lead_id: null } });
  });

  it('cannot be used in filters', async () => {
    const filterOn = (field: string) =>
      bed.clients.buyer.call('request_change', {
        campaign_id: bed.ids.campaign,
        filters: { all: [{ field, operator: '==', value: 'x' }] },
      });
    const [hidden, unknown] = [await filterOn('secret_income'), await filterOn('secret_incomx')];
    expect(hidden.status).toBe(422);
    expect(hidden.json?.details).toMatchObject([
      { path: 'filters.all.0.field', code: 'not_allowed' },
    ]);
    expect(unknown.text.replaceAll('secret_incomx', 'secret_income')).toBe(
      hidden.text.replace(
        /"request_id":"[^"]*"/,
        unknown.text.match(/"request_id":"[^"]*"/)?.[0] ?? '',
      ),
    );
  });

  it('hides the filters of the terms that use it, and leaves them unchanged', async () => {
    const { campaignBuyers } = bed.testbed.collections;
    const filters = {
      all: [{ id: 'f1', field: 'secret_income', operator: '==' as const, value: 'x' }],
    };
    await campaignBuyers.updateOne({ buyer_id: bed.ids.mine }, { $set: { filters } });
    const terms = await bed.clients.buyer.call('get_terms');
    expect(terms.json?.data).toMatchObject([{ filters: null, filters_hidden: true }]);
    const asked = await bed.clients.buyer.call('request_change', {
      campaign_id: bed.ids.campaign,
      filters: { all: [{ field: 'state', operator: '==', value: 'CA' }] },
    });
    expect(asked).toMatchObject({ status: 422, json: { details: [{ path: 'filters' }] } });
    await campaignBuyers.updateOne({ buyer_id: bed.ids.mine }, { $set: { filters: null } });
  });
});

describe.each<Side>(['buyer', 'supplier'])('the portal of a %s', (side) => {
  const expectClean = (reply: PortalReply) => {
    const bytes = bytesOf(reply);
    const found = forbiddenTo(side, bed).filter((marker) => bytes.includes(marker));
    expect(found).toEqual([]);
  };

  it('could show what is searched for: it is stored', async () => {
    const stored = await everythingIn(bed.testbed.store.db);
    const words = forbiddenTo(side, bed).filter((marker) => !/^[\d.]+$/.test(marker));
    expect(words.filter((word) => !stored.includes(word))).toEqual([]);
    for (const amount of [MARKERS.cost, MARKERS.price, MARKERS.rivalPrice])
      expect(numberWritten(amount).some((written) => stored.includes(written))).toBe(true);
  });

  it('shows nothing about others in its own data', async () => {
    const reply = await bed.clients[side].me();
    expect(reply.status).toBe(200);
    expectClean(reply);
  });

  it.each([...callsOf(side).entries()].map(([at, name]) => [name, at] as const))(
    'shows nothing about others in %s (%i)',
    async (name) => {
      const input = inputOf(side, name);
      if (!input) throw new Error(`partnerInputs.ts has no input for ${name}`);
      const reply = await bed.clients[side].call(name, input(bed));
      const isRead = PORTALS[side].calls.some(
        (call) => call.name === name && call.effect === 'read',
      );
      expect(reply.status).toBeLessThan(isRead ? 300 : 500);
      expectClean(reply);
    },
  );

  it.each(PORTALS[side].files.map(({ name }) => name))(
    'shows nothing about others in %s',
    async (name) => {
      const reply = await bed.clients[side].file(name);
      expect(reply).toMatchObject({ status: 200 });
      expectClean(reply);
    },
  );
});
