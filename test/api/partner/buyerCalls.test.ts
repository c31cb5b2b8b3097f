import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPartnerBed, type PartnerBed } from './partnerBed.js';

describe('the calls of a buyer', () => {
  let bed: PartnerBed;
  beforeAll(async () => {
    bed = await startPartnerBed();
  });
  afterAll(() => bed.stop());

  const done = async (name: string, input: object = {}) => {
    const reply = await bed.clients.buyer.call(name, input);
    expect(reply).toMatchObject({ status: 200 });
    return reply.json?.data;
  };

  it('lists a sale by the one to this buyer, though the lead was sold to another as well', async () => {
    expect(await done('list_sales')).toMatchObject([
      { lead_id: bed.leadId, price: 55.5511, status: 'sold', outcome: null },
    ]);
  });
});
