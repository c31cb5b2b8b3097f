import { describe, it, expect } from '@jest/globals';
import fc from 'fast-check';
import type { Evidence, Total } from '../evidence/evidence.js';
import { check } from './check.js';
import {
  assumed,
  capped,
  duplicate,
  expired,
  held,
  passedOn,
  replayed,
  sold,
  soldToSecond,
  soldWhenAskedAgain,
  soldWhenSentAgain,
  unmatched,
  type Told,
} from './endings.js';
import { aCampaign, aRun, BUYERS, type StoryRun } from './stories.js';

type Story = (run: StoryRun) => Told;

const ENDINGS: Record<string, Story> = {
  ...Object.fromEntries(BUYERS.map((buyer) => [`sold to ${buyer}`, (run) => sold(run, buyer)])),
  'sold to the second': (run) => soldToSecond(run, 'holding', 'asked_again'),
  soldWhenAskedAgain,
  soldWhenSentAgain,
  passedOn,
  assumed,
  held,
  expired,
  unmatched,
  capped,
};

/** A list of endings; each may be followed by a duplicate of it and by a replay of its answer. */
const someStories = fc.array(
  fc.record({
    ending: fc.constantFrom(...Object.keys(ENDINGS)),
    thenDuplicate: fc.boolean(),
    thenReplay: fc.boolean(),
  }),
  { minLength: 1, maxLength: 25 },
);

type Stories = typeof someStories extends fc.Arbitrary<infer T> ? T : never;

const LIVE = ['ACCEPTED', 'PENDING'];

function tell(stories: Stories): Evidence {
  const limits = { total_cap: stories.length, total_budget: stories.length * 10 };
  const campaign = aCampaign({ caps: limits });
  campaign.suppliers.forEach((link) => (link.caps = { daily_cap: stories.length }));
  campaign.buyers.forEach((link) => (link.caps = limits));
  const run = aRun([campaign]);
  for (const { ending, thenDuplicate, thenReplay } of stories) {
    const told = ENDINGS[ending]?.(run);
    if (!told) continue;
    if (thenReplay && told.answer.answer !== 'capped') replayed(run, told);
    if (thenDuplicate && LIVE.includes(told.lead.status)) duplicate(run, told);
  }
  return run.finish();
}

/** Changes one thing that matters, if the evidence has such a thing. */
type Mutation = (evidence: Evidence) => boolean;

const MUTATIONS: Record<string, { total: Total; mutate: Mutation }> = {
  'a lead disappears': {
    total: 'lost',
    mutate: ({ history, record }) => {
      const answered = history.find((event) => event.kind === 'completed' && event.lead_id);
      const id = answered?.kind === 'completed' ? answered.lead_id : null;
      record.leads = record.leads.filter((lead) => lead._id !== id);
      return id !== null;
    },
  },
  'a buyer never took what is sold': {
    total: 'lost',
    mutate: ({ journal, record }) => {
      const lead = record.leads.find(
        ({ buyer_id }) => buyer_id !== null && buyer_id !== 'assuming',
      );
      const own = journal.filter((line) => line.lead_id === lead?._id);
      own.forEach((line) => (line.decision = 'rejected'));
      return own.length > 0;
    },
  },
  'a buyer takes a lead a second time': {
    total: 'doubled',
    mutate: ({ journal }) => {
      const line = journal.find(({ decision }) => decision === 'accepted');
      if (line) journal.push({ ...line, request: 1_000, step: 'decided' });
      return line !== undefined;
    },
  },
  'another buyer takes a lead as well': {
    total: 'doubled',
    mutate: ({ journal }) => {
      const line = journal.find(({ decision }) => decision === 'accepted');
      if (line) journal.push({ ...line, request: 1_000, step: 'decided', buyer_id: 'b9' });
      return line !== undefined;
    },
  },
  'a counter counts one less': {
    total: 'over cap',
    mutate: ({ record }) => {
      const [doc] = record.caps;
      if (doc) doc.total.count -= 1;
      return doc !== undefined;
    },
  },
  'a limit is one less than what was sold': {
    total: 'over cap',
    mutate: ({ campaigns, record }) => {
      const own = record.leads.filter(({ buyer_id }) => buyer_id === 'holding');
      const link = campaigns[0]?.buyers.find(({ buyer_id }) => buyer_id === 'holding');
      if (link) link.caps = { total_cap: own.length - 1 };
      return own.length > 0;
    },
  },
  'a sale has another price': {
    total: 'money off',
    mutate: ({ record }) => {
      const lead = record.leads.find(({ status }) => status === 'ACCEPTED');
      if (lead) lead.price += 1;
      return lead !== undefined;
    },
  },
  'a lead ends another way than was said': {
    total: 'false answers',
    mutate: ({ history }) => {
      const event = history.find((one) => one.kind === 'completed' && one.answer === 'unmatched');
      if (event) Object.assign(event, { answer: 'delivered' });
      return event !== undefined;
    },
  },
  'a withdrawn lead goes on': {
    total: 'false answers',
    mutate: ({ record }) => {
      const lead = record.leads.find(({ status }) => status === 'WITHDRAWN');
      if (lead) lead.status = 'UNMATCHED';
      return lead !== undefined;
    },
  },
  'a lead is never decided': {
    total: 'undecided',
    mutate: ({ record }) => {
      const lead = record.leads.find(({ status }) => status === 'EXPIRED');
      if (lead) lead.status = 'PENDING';
      return lead !== undefined;
    },
  },
};

describe('any consistent run', () => {
  it('has no violations', () => {
    fc.assert(
      fc.property(someStories, (stories) => {
        expect(check(tell(stories))).toEqual([]);
      }),
    );
  });

  it.each(Object.entries(MUTATIONS))('has a violation when %s', (_name, { total, mutate }) => {
    fc.assert(
      fc.property(someStories, (stories) => {
        const evidence = tell(stories);
        fc.pre(mutate(evidence));
        expect(check(evidence).map((violation) => violation.total)).toContain(total);
      }),
      { numRuns: 30 },
    );
  });

  it('has no violations in any order of its history and its journal', () => {
    fc.assert(
      fc.property(someStories, fc.nat(), (stories, turn) => {
        const evidence = tell(stories);
        const { history, journal } = evidence;
        const turned = {
          ...evidence,
          history: [
            ...history.slice(turn % history.length),
            ...history.slice(0, turn % history.length),
          ],
          journal: journal.toReversed(),
        };
        expect(check(turned)).toEqual([]);
      }),
    );
  });
});

describe('a long run', () => {
  it('is checked in time proportional to its length', () => {
    const run = aRun();
    for (let n = 0; n < 12_500; n++) {
      const told = sold(run, BUYERS[n % BUYERS.length]);
      if (n % 4 === 0) replayed(run, told);
    }
    for (let n = 0; n < 4_750; n++) soldWhenSentAgain(run);
    const evidence = run.finish();
    const began = performance.now();
    // 25,000 operations: a scan for each would take minutes.
    expect(check(evidence)).toEqual([]);
    expect(performance.now() - began).toBeLessThan(15_000);
  }, 60_000);
});
