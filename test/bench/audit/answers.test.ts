import { describe, expect, it } from '@jest/globals';
import type { Answer, Supplier } from '../../support/supplier.js';
import { noting, type Answers } from './answers.js';

const answering = (answer: Partial<Answer>): Supplier => {
  const whole = { status: 201, headers: {}, body: {}, ms: 1, ...answer };
  return {
    post: () => Promise.resolve(whole),
    postUntilTaken: () => Promise.resolve(whole),
    close: () => Promise.resolve(),
  };
};
const data = { id: 'lead', buyer_id: null, campaign_id: 'campaign' };

describe('the answers that suppliers got', () => {
  it.each([
    [201, { ...data, status: 'ACCEPTED', delivery: 'delivered' }, 'delivered'],
    [201, { ...data, status: 'ACCEPTED', delivery: 'pending' }, 'pending'],
    [200, { ...data, status: 'DUPLICATE' }, 'DUPLICATE'],
  ])('are recorded by lead: %i', async (status, said, told) => {
    const answers: Answers = new Map();
    await noting(answering({ status, data: said }), answers).post();
    expect([...answers]).toEqual([['lead', told]]);
  });

  it('are also recorded when a lead was posted until it was accepted', async () => {
    const answers: Answers = new Map();
    const said = { ...data, status: 'UNMATCHED' };
    await noting(answering({ status: 200, data: said }), answers).postUntilTaken();
    expect([...answers]).toEqual([['lead', 'UNMATCHED']]);
  });

  it('are not recorded when the lead was refused', async () => {
    const answers: Answers = new Map();
    const answer = await noting(answering({ status: 422, error: 'filtered' }), answers).post();
    expect(answer.status).toBe(422);
    expect(answers.size).toBe(0);
  });
});
