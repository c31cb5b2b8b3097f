import { MongoNetworkError } from 'mongodb';
import { describe, expect, it } from '@jest/globals';
import { systemClock } from '../../../src/lib/clock.js';
import type { AccountCache } from '../../../src/account/access/accountCache.js';
import { createPostbacks, type PostbackDeps } from '../../../src/outcomes/postbacks/postbacks.js';
import { recordedChanges } from '../recordedChanges.js';

const LEAD = '2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10';
const lost = () => Promise.reject(new MongoNetworkError('gone'));

/** A service whose database fails at one step. */
const service = (broken: Partial<PostbackDeps> & { reads?: Partial<AccountCache> }) => {
  const changes = recordedChanges();
  const buyer = { org_id: 'org', buyer_id: 'buyer', name: 'Acme', version: 1 };
  const verdict = { allowed: true, retryAfterMs: 0, bucket: 'burst', limit: 100, remaining: 99 };
  const accountCache = {
    buyerBySecret: () => Promise.resolve(buyer),
    refresh: () => Promise.resolve(new Map()),
    ...broken.reads,
  } as Partial<AccountCache> as AccountCache;
  const postbacks = createPostbacks({
    accountCache,
    changes,
    earlier: changes.earlier,
    clock: systemClock,
    limiter: {
      take: () => Promise.resolve({ ...verdict, resetSeconds: 1 }),
    } as never,
    leads: { byIds: lost, byKey: lost, byKeyOf: lost },
    deliveries: { ofLeads: lost },
    ...broken,
  });
  return { postbacks, changes };
};

describe('a postback while the database is gone', () => {
  const sold = {
    _id: LEAD,
    org_id: 'org',
    campaign_id: 'c',
    status: 'ACCEPTED' as const,
    sales: [],
  };
  const steps: Record<string, Parameters<typeof service>[0]> = {
    'who it is': { reads: { buyerBySecret: lost } },
    'whether that still holds': { reads: { refresh: lost } },
    'the lead': {},
    'its deliveries': {
      leads: {
        byIds: () => Promise.resolve(new Map([[LEAD, sold]])),
        byKey: lost,
        byKeyOf: lost,
      },
    },
  };

  it.each(Object.entries(steps))(
    'is a definitive refusal when %s cannot be asked: 503, and nothing is stored',
    async (_step, broken) => {
      const { postbacks, changes } = service(broken);
      const body = { lead_id: LEAD, outcome: 'converted' };
      const request = {
        secret: 'a'.repeat(64),
        body,
        isForm: false,
        receivedAt: performance.now(),
      };
      await expect(postbacks.submit(request)).rejects.toMatchObject({
        code: 'unavailable',
        status: 503,
        extras: { retry_after: 2 },
      });
      expect(changes.made).toEqual([]);
    },
  );
});
