import { afterEach, describe, expect, it } from '@jest/globals';
import { startFakeBuyer, type FakeBuyer } from '../support/fakeBuyer.js';

/** Sends one lead twice under one key, like a blind retry. */
async function sendTwice({ url }: FakeBuyer, path: string): Promise<void> {
  for (let n = 0; n < 2; n++)
    await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'idempotency-key': 'a-lead:a-buyer' },
      body: JSON.stringify({ lead_id: 'a-lead' }),
    });
}

describe('the journal of a fake buyer', () => {
  let buyer: FakeBuyer;
  afterEach(() => buyer.stop());

  it('has a lead twice that was sent again to a buyer that honors no key', async () => {
    buyer = await startFakeBuyer();
    await sendTwice(buyer, '/plain');
    expect(buyer.accepted('/plain')).toEqual(['a-lead', 'a-lead']);
  });

  it('has it once where the buyer honors the key', async () => {
    buyer = await startFakeBuyer(undefined, { honorsKey: (path) => path === '/careful' });
    await sendTwice(buyer, '/careful');
    await sendTwice(buyer, '/plain');
    expect(buyer.accepted('/careful')).toEqual(['a-lead']);
    expect(buyer.accepted()).toHaveLength(3);
  });
});
