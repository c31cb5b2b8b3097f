import { describe, expect, it } from '@jest/globals';
import { said, soldAndTold } from '../checker/afterStories.js';
import { sold } from '../checker/endings.js';
import { aRun } from '../checker/stories.js';
import { rareStates } from './rareStates.js';

describe('rare states of the time after the sale', () => {
  it('sees the results of outcomes and events in flight', () => {
    const run = aRun();
    const { history, after } = run.evidence;
    const { lead, first } = soldAndTold(run);
    first.delivery.attempts = 2;
    after.received.push({ ...first.line });
    const { asked, told, doc } = said(run, sold(run), 'pending');
    const answers = [
      { answer: 'not_taken', result: 'fail', status: 503 },
      { answer: 'cannot_tell', result: 'info', status: 504 },
      { answer: null, result: 'info', status: null },
      { replayed: true },
    ] as const;
    answers.forEach((answer, index) => {
      const op = 100 + index;
      history.push({ ...asked, op }, { ...told, op, ...answer });
    });
    history.push({ ...asked, op: 200, altered: true });
    history.push({ ...told, op: 200, answer: 'conflict', status: 409 });
    lead.sales.forEach((sale) => (sale.at = new Date(0)));
    const late = run.evidence.record.leads.find(({ _id }) => _id === doc.lead_id);
    late?.sales.forEach((sale) => (sale.at = new Date(Number(doc.received_at) + 1)));
    const seen = rareStates(run.finish()).filter(({ count }) => count > 0);
    expect(Object.fromEntries(seen.map(({ state, count }) => [state, count]))).toMatchObject({
      'an outcome told 503, and recorded when it was sent again': 1,
      'an outcome that nobody could tell of, and that was recorded': 1,
      'an outcome without an answer, and recorded': 1,
      'an outcome given its first answer again': 1,
      'an outcome refused, as its key came with another body': 1,
      'an outcome of a lead that was on its way to another buyer': 1,
      'an event sent again': 1,
      'an event received again after its answer was lost': 1,
    });
  });
});
