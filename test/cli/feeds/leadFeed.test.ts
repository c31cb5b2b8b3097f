/** Following leads, against a fake server that answers like `get_leads`. */
import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { Refused, Unreachable, type Client } from '../../../cli/client/client.js';
import { follow } from '../../../cli/feeds/follow.js';
import { createLeadFeed, type LeadFeed } from '../../../cli/feeds/leadFeed.js';
import { readSince, readWanted } from '../../../cli/feeds/wanted.js';

interface Stored {
  id: string;
  status: string;
  /** Milliseconds. */
  came: number;
  /** When readers can see it. */
  seen: number;
  /** When its status is no longer NEW. */
  decided: number;
}

const ALL = readWanted({}, []);

/** @param pageRows maximum rows of a page, whatever limit is requested */
function world(leads: Stored[], pageRows: number) {
  const clock = { now: 1_000_000 };
  const calls: Record<string, unknown>[] = [];
  const client: Client = {
    whoami: () => Promise.reject(new Error('not asked')),
    run: (_action, input) => {
      calls.push(input);
      const { created_from = '1970-01-01T00:00:00Z' } = input;
      const from = Date.parse(created_from as string);
      const rows = leads
        .filter(({ seen, came }) => seen <= clock.now && came >= from)
        .map(({ id, came, status, decided }) => ({
          id,
          created_at: new Date(came).toISOString(),
          status: decided <= clock.now ? status : 'NEW',
        }))
        .filter(({ status }) => input.status === undefined || input.status === status)
        .toSorted((a, b) => (a.created_at + a.id < b.created_at + b.id ? 1 : -1));
      const begin = Number(input.cursor ?? 0);
      const end = begin + Math.min(Number(input.limit), pageRows);
      const next_cursor = end < rows.length ? String(end) : null;
      const page = rows.slice(begin, end);
      // The Date header has whole seconds.
      const servedAt = Math.floor(clock.now / 1_000) * 1_000;
      return Promise.resolve({ data: { leads: page, next_cursor }, next_cursor, servedAt });
    },
  };
  const feed = (last: number, since: number | null = null, wanted = ALL) =>
    createLeadFeed(client, {
      wanted,
      since,
      last,
      now: () => clock.now,
      pause: () => Promise.resolve(),
    });
  return { clock, calls, feed };
}

const lead = (id: string, came: number, more: Partial<Stored> = {}): Stored => ({
  id,
  came,
  seen: came,
  decided: came,
  status: 'ACCEPTED',
  ...more,
});

const idsOf = async (feed: LeadFeed) => (await feed.next()).leads.map(({ id }) => id);

describe('following leads', () => {
  it('begins with the latest leads in order, and continues with new ones only', async () => {
    const leads = [1, 2, 3, 4].map((n) => lead(`l${n}`, 990_000 + n));
    const { clock, feed } = world(leads, 500);
    const following = feed(2);
    expect(await idsOf(following)).toEqual(['l3', 'l4']);
    expect(await idsOf(following)).toEqual([]);
    leads.push(lead('l5', clock.now + 1));
    clock.now += 2_000;
    expect(await idsOf(following)).toEqual(['l5']);
    const quiet = feed(0);
    expect(await idsOf(quiet)).toEqual([]);
    leads.push(lead('l6', clock.now + 1));
    clock.now += 2_000;
    expect(await idsOf(quiet)).toEqual(['l6']);
  });

  it('returns each lead once, whatever its time, its page, and the moment it is seen', async () => {
    const stored = fc.record({
      // Many in one instant, and some that become visible long after they came.
      came: fc.integer({ min: 0, max: 12 }).map((n) => 1_000_500 + n * 5_000),
      late: fc.integer({ min: 0, max: 27_000 }),
      undecided: fc.integer({ min: 0, max: 90_000 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(stored, { maxLength: 40 }),
        fc.integer({ min: 3, max: 9 }),
        async (given, pageRows) => {
          const leads = given.map(({ came, late, undecided }, n) =>
            lead(`l${n}`, came, { seen: came + late, decided: came + late + undecided }),
          );
          const { clock, feed } = world(leads, pageRows);
          const following = feed(0);
          const got: unknown[] = [];
          while (clock.now < 1_000_500 + 65_000 + 27_000 + 62_000) {
            got.push(...(await idsOf(following)));
            clock.now += 2_300;
          }
          expect(got.toSorted()).toEqual(leads.map(({ id }) => id).toSorted());
        },
      ),
      { numRuns: 60 },
    );
  });

  it('waits for the decision, but no longer than the search window', async () => {
    const leads = [
      lead('soon', 1_000_500, { decided: 1_003_000 }),
      lead('never', 1_000_600, { decided: Infinity }),
    ];
    const { clock, feed } = world(leads, 500);
    const following = feed(0);
    await following.next();
    clock.now += 1_000;
    expect(await idsOf(following)).toEqual([]);
    clock.now += 2_500;
    expect((await following.next()).leads).toMatchObject([{ id: 'soon', status: 'ACCEPTED' }]);
    clock.now += 40_000;
    expect((await following.next()).leads).toMatchObject([{ id: 'never', status: 'NEW' }]);
    expect(await idsOf(following)).toEqual([]);
  });

  it('reports when more leads arrive than it reads, and continues', async () => {
    const leads = Array.from({ length: 50 }, (_, n) => lead(`l${n}`, 900_000 + n));
    const { clock, feed } = world(leads, 2);
    const following = feed(0, 900_000);
    const { leads: rows, left } = await following.next();
    expect([rows.length, left]).toEqual([40, '40']);
    leads.push(lead('new', clock.now));
    clock.now += 2_000;
    expect(await following.next()).toMatchObject({ leads: [{ id: 'new' }], left: null });
  });

  it('asks only for the last half minute, however long it runs', async () => {
    const { clock, calls, feed } = world([], 500);
    const following = feed(10);
    for (let n = 0; n < 100; n += 1) {
      await following.next();
      clock.now += 2_000;
    }
    const last = calls.at(-1)?.created_from as string;
    expect(clock.now - Date.parse(last)).toBeLessThan(36_000);
  });

  it('misses nothing during an outage of the server, and reports it once', async () => {
    const leads: Stored[] = [];
    const { clock, feed } = world(leads, 500);
    const following = feed(0);
    const faults: (Error | null)[] = [
      null,
      new Unreachable('Gone', 'ECONNREFUSED', 'http://h'),
      new Refused(503, { error: 'unavailable', message: 'Not now.' }),
      null,
      null,
    ];
    const [said, shown, stop] = [[] as string[], [] as unknown[], new AbortController()];
    const flaky: LeadFeed = {
      next: () => {
        const fault = faults.shift();
        clock.now += 2_000;
        leads.push(lead(`at ${clock.now}`, clock.now - 1));
        if (fault) return Promise.reject(fault);
        if (fault === undefined) stop.abort();
        return following.next();
      },
    };
    await follow(flaky, {
      signal: stop.signal,
      everyMs: 1,
      say: (text) => said.push(text),
      show: (batch) => shown.push(...batch.leads.map(({ id }) => id)),
    });
    expect(said).toEqual(['Gone. Trying again. Ctrl-C ends it.', 'The server is back.']);
    expect(shown).toEqual(leads.slice(1).map(({ id }) => id));
  });

  it('fails on a permanent error', async () => {
    const refuse = (status: number): LeadFeed => ({
      next: () => Promise.reject(new Refused(status, { error: 'unauthorized', message: 'No.' })),
    });
    const options = { signal: new AbortController().signal, show: () => 0, say: () => 0 };
    await expect(follow(refuse(401), options)).rejects.toThrow('No.');
    await expect(follow(refuse(503), options)).rejects.toThrow('No.');
  });
});

describe('which leads are followed', () => {
  const STATUSES = ['NEW', 'ACCEPTED', 'PENDING'];

  it('one value is filtered by the server, several are filtered locally', () => {
    const wanted = readWanted(
      { campaignId: 'c', buyerId: 'a, b', status: 'accepted,pending', test: true },
      STATUSES,
    );
    expect(wanted.input).toEqual({ campaign_id: 'c', is_test: true });
    const fits = (buyer_id: string | null, status: string) => wanted.fits({ buyer_id, status });
    expect([fits('a', 'ACCEPTED'), fits('b', 'PENDING')]).toEqual([true, true]);
    expect([fits('c', 'ACCEPTED'), fits(null, 'PENDING'), fits('a', 'NEW')]).toEqual([
      false,
      false,
      false,
    ]);
    expect(readWanted({ status: 'new' }, STATUSES)).toMatchObject({
      takesNew: true,
      input: { status: 'NEW' },
    });
  });

  it.each([
    [{ status: 'ACEPTED' }, 'Did you mean ACCEPTED? The statuses are: NEW, ACCEPTED, PENDING'],
    [{ buyerId: 'a,' }, '--buyer-id must be one value, or several separated by commas'],
  ])('reports what is wrong with %j', (typed, message) => {
    expect(() => readWanted(typed, STATUSES)).toThrow(message);
  });

  it('begins a duration ago, or at an instant', () => {
    expect(readSince('90s', 100_000)).toBe(10_000);
    expect(readSince('1d', 86_400_000)).toBe(0);
    expect(readSince('1970-01-01T01:00:05+01:00', 0)).toBe(5_000);
    for (const text of ['yesterday', '5', '2026-11-22', '-5m', '2026-13-01T00:00Z'])
      expect(() => readSince(text, 0)).toThrow('--since must be how long ago');
  });
});
