/** What the pages of funnels do after they are shown: submit, request a proof of work, and be counted. */
import type { Challenge } from 'altcha-lib/types';
import { createIdempotencyStore } from '../../ingest/store/idempotency.js';
import type { RateLimiter } from '../../platform/rateLimits/limiter.js';
import type { Keyring } from '../../platform/security/seal.js';
import type { IngestCollections } from '../../ingest/store/collections.js';
import type { FunnelCollections } from '../store/collections.js';
import { createFunnelAllowances } from './allowances.js';
import { createFunnelCounts } from './counts.js';
import type { Proofs } from './proof.js';
import { submitPage, type Submission, type SubmitDeps } from './submitPage.js';

export interface FunnelSubmitsDeps extends Omit<
  SubmitDeps,
  'counts' | 'allowances' | 'idempotency' | 'collections'
> {
  collections: SubmitDeps['collections'] &
    Pick<IngestCollections, 'idempotency'> &
    FunnelCollections;
  limiter: RateLimiter;
  keyring: Keyring;
  proofs: Proofs;
}

interface ChallengeRequest {
  slug: string;
  token: string;
  ip: string;
}

export type FunnelSubmits = ReturnType<typeof createFunnelSubmits>;

export function createFunnelSubmits(deps: FunnelSubmitsDeps) {
  const { collections, clock, log, shown, tokens, proofs } = deps;
  const counts = createFunnelCounts({ funnelCounts: collections.funnelCounts, clock, log });
  const allowances = createFunnelAllowances(deps);
  const idempotency = createIdempotencyStore(collections.idempotency);
  const submitting = { ...deps, counts, allowances, idempotency };
  return {
    counts,
    /** Null when no funnel has this address. */
    submit: (submission: Submission) => submitPage(submission, submitting),
    /**
     * A proof of work for a page, by its token.
     * @returns null for a token that is not this funnel's, or too old; seconds to wait after too many requests
     */
    async challenge({
      slug,
      token,
      ip,
    }: ChallengeRequest): Promise<Challenge | { seconds: number } | null> {
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
