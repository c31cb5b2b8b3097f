/** What the pages of funnels do after they are shown: submit, request a proof of work, and be counted. */
import type { Challenge } from 'altcha-lib/types';
import type { AccountCache } from '../../account/access/accountCache.js';
import { createIdempotencyStore } from '../../ingest/store/idempotency.js';
import type { Intake } from '../../ingest/types.js';
import type { LeadStore } from '../../leads/store/leads.js';
import type { Clock } from '../../lib/clock.js';
import type { Log } from '../../lib/log.js';
import type { Pings } from '../../pings/types.js';
import type { RateLimiter } from '../../platform/rateLimits/limiter.js';
import type { Keyring } from '../../platform/security/seal.js';
import type { ShownFunnels } from '../shown.js';
import type { AccountCollections } from '../../account/store/collections.js';
import type { LeadCollections } from '../../leads/store/collections.js';
import type { IngestCollections } from '../../ingest/store/collections.js';
import type { FunnelCollections } from '../store/collections.js';
import { createFunnelAllowances } from './allowances.js';
import { createFunnelCounts, type FunnelCounts } from './counts.js';
import type { Proofs } from './proof.js';
import type { Metrics } from '../../platform/metrics.js';
import { submitPage, type Submission, type SubmitResult } from './submitPage.js';
import type { FunnelTokens } from './token.js';

export interface FunnelSubmits {
  /** Null when no funnel has this address. */
  submit(submission: Submission): Promise<SubmitResult | null>;
  /**
   * A proof of work for a page, by its token.
   * @returns null for a token that is not this funnel's, or too old; seconds to wait after too many requests
   */
  challenge(asked: {
    slug: string;
    token: string;
    ip: string;
  }): Promise<Challenge | { seconds: number } | null>;
  counts: FunnelCounts;
}

export interface FunnelSubmitsDeps {
  collections: Pick<
    AccountCollections & LeadCollections & IngestCollections,
    'suppliers' | 'leads' | 'idempotency'
  > &
    FunnelCollections;
  accountCache: AccountCache;
  intake: Intake;
  pings: Pings;
  leads: LeadStore;
  limiter: RateLimiter;
  keyring: Keyring;
  metrics: Pick<Metrics, 'funnelSubmits'>;
  shown: ShownFunnels;
  tokens: FunnelTokens;
  proofs: Proofs;
  clock: Clock;
  log: Log;
}

export function createFunnelSubmits(deps: FunnelSubmitsDeps): FunnelSubmits {
  const { collections, clock, log, shown, tokens, proofs } = deps;
  const counts = createFunnelCounts({ funnelCounts: collections.funnelCounts, clock, log });
  const allowances = createFunnelAllowances(deps);
  const idempotency = createIdempotencyStore(collections.idempotency);
  const submitting = { ...deps, counts, allowances, idempotency };
  return {
    counts,
    submit: (submission) => submitPage(submission, submitting),
    async challenge({ slug, token, ip }) {
      const read = tokens.readToken(token);
      if (read.kind !== 'valid') return null;
      const funnel = await shown.bySlug(slug);
      if (funnel?.funnel._id !== read.page.funnelId) return null;
      const seconds = await allowances.workFor(ip);
      if (seconds > 0) return { seconds };
      const { submissions_per_minute: expected } = funnel.definition.protection;
      const isRush = await allowances.isRushed(read.page.funnelId, expected);
      return proofs.challenge(read.page.nonce, isRush);
    },
  };
}
