import { describe, expect, it } from '@jest/globals';
import { said, type SaidStory } from './afterStories.js';
import { check } from './check.js';
import { sold, soldToBoth, type Sold } from './endings.js';
import { aRun, rulesOf, type StoryRun } from './stories.js';

interface Scene {
  run: StoryRun;
  story: Sold;
  first: SaidStory;
  second: SaidStory;
}

/** Sold, said to wait, then converted for 50. */
function aScene(): Scene {
  const run = aRun();
  const story = sold(run);
  const first = said(run, story, 'pending');
  return { run, story, first, second: said(run, story, 'converted', 50) };
}

const rules = ({ run }: Pick<Scene, 'run'>): string[] => rulesOf(run.finish());

describe('the outcomes that buyers report', () => {
  it('is silent where all are recorded as reported', () => {
    expect(rules(aScene())).toEqual([]);
  });

  it('is silent where each of two buyers has its own outcome', () => {
    const run = aRun();
    const story = soldToBoth(run);
    said(run, story, 'converted', 30);
    said(run, { ...story, row: story.further }, 'not_qualified');
    // How often it may be sold is another rule's concern.
    run.evidence.campaigns.forEach((campaign) => (campaign.max_sells = 2));
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('is silent where the result is unknown, whether it was recorded or not', () => {
    const made = aScene();
    Object.assign(made.second.told, { result: 'info', answer: 'cannot_tell', status: 504 });
    expect(rules(made)).toEqual([]);
    const run = aRun();
    const { asked, told } = said(run, sold(run), 'pending');
    forget(run);
    Object.assign(told, { result: 'info', answer: null, status: null });
    expect([asked.key, rulesOf(run.finish())]).toEqual(['key-1', []]);
  });

  it.each<[string, string[], (scene: Scene) => void]>([
    [
      'an acknowledged outcome that is gone',
      ['acknowledged_outcome_missing'],
      ({ run, story }) => {
        run.evidence.after.outcomes.pop();
        undo(story);
      },
    ],
    [
      'one that is acknowledged and still open',
      ['acknowledged_outcome_missing', 'outcome_still_open'],
      ({ second, story }) => {
        second.doc.state = 'open';
        delete second.doc.seq;
        undo(story);
      },
    ],
    [
      'one that is on record twice',
      ['outcome_doubled', 'outcome_number_doubled'],
      ({ run, second }) => run.evidence.after.outcomes.push({ ...second.doc, _id: 'again' }),
    ],
    [
      'one that was refused each time and is there',
      ['outcome_refused_but_made'],
      ({ second }) =>
        void Object.assign(second.told, { result: 'fail', answer: 'not_taken', status: 503 }),
    ],
    [
      'one that no process sent',
      ['outcome_never_sent'],
      ({ run, second }) => {
        const { history } = run.evidence;
        run.evidence.history = history.filter((one) => one !== second.asked && one !== second.told);
      },
    ],
    [
      'one that is on record with another revenue than was said',
      ['outcome_never_sent'],
      ({ second }) => (second.asked.revenue = 51),
    ],
    [
      'an order that is not the one in which they were said',
      ['outcome_out_of_order'],
      ({ run, first, second, story }) => {
        [first.doc.seq, second.doc.seq] = [2, 1];
        run.evidence.after.outcomes.reverse();
        const { lead } = story;
        const [sale] = lead.sales;
        Object.assign(sale ?? {}, { outcome: 'pending', note: 'key-1' });
        delete sale?.revenue;
        Object.assign(lead, { outcome: 'pending', price: 10, profit: 6 });
      },
    ],
    [
      'an answer that is of another outcome',
      ['outcome_answer_false'],
      ({ second }) => (second.told.outcome = 'pending'),
    ],
    [
      'an answer that the contract does not have',
      ['outcome_answer_unexpected'],
      ({ second }) =>
        void Object.assign(second.told, { result: 'info', answer: 'unexpected', status: 500 }),
    ],
    [
      'the same request refused as another one',
      ['outcome_key_refused'],
      ({ run, second }) => again(run, second, { answer: 'conflict', status: 409 }),
    ],
    [
      'another body taken under the same key',
      ['outcome_altered_taken'],
      ({ run, second }) => again(run, second, {}, true),
    ],
    [
      'a lead that does not say the last word',
      ['outcome_state_off'],
      ({ story }) => (story.lead.outcome = 'pending'),
    ],
    [
      'a sale that does not say the last word',
      ['outcome_state_off'],
      ({ story }) => void Object.assign(story.lead.sales[0] ?? {}, { note: 'key-1' }),
    ],
    [
      'a sale that brings what it did before it converted',
      ['outcome_revenue_off'],
      ({ story }) => {
        delete story.lead.sales[0]?.revenue;
        Object.assign(story.lead, { price: 10, profit: 6 });
      },
    ],
    [
      'a lead whose sum is not that of its sales',
      ['price_off', 'profit_off'],
      ({ story }) => (story.lead.price = 10),
    ],
    [
      'an outcome that is not on the trail',
      ['outcome_not_on_trail'],
      ({ story }) => void story.lead.trail.pop(),
    ],
    [
      'an outcome that is on the trail twice',
      ['outcome_told_twice'],
      ({ story: { lead } }) => lead.trail.push(...lead.trail.slice(-1)),
    ],
    [
      'a lead that has counted more outcomes than there are',
      ['outcome_count_off'],
      ({ story }) => (story.lead.outcome_seq = 3),
    ],
    [
      'a lead that has counted fewer',
      ['outcome_count_off'],
      ({ story }) => (story.lead.outcome_seq = 1),
    ],
  ])('reports %s', (_, expected, breakIt) => {
    const scene = aScene();
    breakIt(scene);
    expect(rules(scene).sort()).toEqual(expected);
  });

  it('names the lead, and counts what is lost as lost', () => {
    const { run, story } = aScene();
    run.evidence.after.outcomes.pop();
    undo(story);
    const [violation] = check(run.finish());
    expect(violation).toMatchObject({ total: 'lost', lead_id: story.lead._id });
    expect(violation?.what).toBe('key-2 (converted) was acknowledged, and is not on record');
  });
});

/** The same request again, under the same key. */
function again(run: StoryRun, { asked, told }: SaidStory, answer: object, altered = false): void {
  const later = { op: 99, at: told.at + 100 };
  run.evidence.history.push(
    { ...asked, ...later, ...(altered ? { altered } : {}) },
    { ...told, ...later, ...answer },
  );
}

/** The lead as it was when it was sold, without its outcomes. */
function forget({ evidence }: StoryRun): void {
  const doc = evidence.after.outcomes.pop();
  const lead = evidence.record.leads.find(({ _id }) => _id === doc?.lead_id);
  if (!lead) throw new Error('nothing was said of any lead');
  delete lead.outcome;
  delete lead.outcome_seq;
  for (const sale of lead.sales) {
    delete sale.outcome;
    delete sale.note;
  }
  lead.trail.pop();
}

/** The lead as it was before it converted. */
function undo({ lead }: Sold): void {
  const [sale] = lead.sales;
  if (!sale) throw new Error('it is not sold');
  Object.assign(sale, { outcome: 'pending', note: 'key-1' });
  delete sale.revenue;
  delete sale.conversion_revenue;
  Object.assign(lead, { outcome: 'pending', outcome_seq: 1, price: 10, profit: 10 - lead.cost });
  lead.trail.pop();
}
