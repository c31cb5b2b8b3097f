import { describe, expect, it } from '@jest/globals';
import type { Answer, Supplier } from '../../support/supplier.js';
import { noting, type Answers, type Refusal } from './answers.js';

const data = { id: 'lead', buyer_id: null, campaign_id: 'campaign' };

/** A supplier that gets this answer, with the recorded post and the recorded result. */
function answering(answer: Partial<Answer>) {
  const whole = { status: 201, headers: {}, body: {}, ms: 1, ...answer };
  const posted: Record<string, unknown>[] = [];
  const post = (fields: Record<string, unknown> = {}) => {
    posted.push(fields);
    return Promise.resolve(whole);
  };
  const supplier: Supplier = { post, postUntilTaken: post, close: () => Promise.resolve() };
  const answers: Answers = new Map();
  const refusals: Refusal[] = [];
  return {
    posted,
    answers,
    refusals,
    supplier: noting(supplier, { answers, refusals, orgId: 'org' }),
  };
}

describe('the answers that suppliers got', () => {
  it.each([
    [201, { ...data, status: 'ACCEPTED', delivery: 'delivered' }, 'delivered'],
    [201, { ...data, status: 'ACCEPTED', delivery: 'pending' }, 'pending'],
    [200, { ...data, status: 'DUPLICATE' }, 'DUPLICATE'],
  ])('are recorded by lead: %i', async (status, said, told) => {
    const { supplier, answers, refusals } = answering({ status, data: said });
    await supplier.post();
    expect([...answers]).toEqual([['lead', told]]);
    expect(refusals).toEqual([]);
  });

  it('are also recorded when a lead was posted until it was accepted', async () => {
    const said = { ...data, status: 'UNMATCHED' };
    const { supplier, answers } = answering({ status: 200, data: said });
    await supplier.postUntilTaken();
    expect([...answers]).toEqual([['lead', 'UNMATCHED']]);
  });

  it.each([400, 403, 422, 429, 503])(
    'are recorded by the person when the lead was refused: %i',
    async (status) => {
      const { supplier, posted, answers, refusals } = answering({ status, error: 'refused' });
      const answer = await supplier.post({ state: 'TX' });
      expect(answer.status).toBe(status);
      expect(answers.size).toBe(0);
      const phone = `+1${String(posted[0]?.phone)}`;
      expect(posted).toMatchObject([{ state: 'TX' }]);
      expect(refusals).toEqual([{ status, orgId: 'org', phone }]);
    },
  );

  it.each([500, 504])('are no refusal when the result is unknown: %i', async (status) => {
    const { supplier, refusals } = answering({ status });
    await supplier.post();
    expect(refusals).toEqual([]);
  });

  it('contain no refusal of a person when the request names none', async () => {
    const { supplier, refusals } = answering({ status: 400 });
    await supplier.post({ phone: undefined });
    expect(refusals).toEqual([]);
  });
});
