/** Approved change requests whose process died before their terms were changed. */
import type { PlanAuthor } from '../../account/rules/plan.js';
import type { Clock } from '../../lib/clock.js';
import { AppError } from '../../lib/errors.js';
import type { Log } from '../../lib/log.js';
import { workUntilDeadline } from '../../lib/workUntilDeadline.js';
import type { TermsDeps } from '../askedTerms.js';
import { settle } from '../resolveChange.js';
import type { ChangeRequestDoc } from '../store/changeRequestDocs.js';

export interface ChangeRepairDeps extends TermsDeps {
  clock: Clock;
  log: Pick<Log, 'error'>;
}

/** Longer than it takes, in milliseconds: one that is being settled is left to the process that does it. */
const LEFT_MS = 10_000;
const PER_RUN = 200;

/** Changes the terms in the name of who approved them. Returns how many requests there were. */
export async function settleApproved(deps: ChangeRepairDeps): Promise<number> {
  const before = new Date(Number(deps.clock.now()) - LEFT_MS);
  const left = await deps.collections.changeRequests
    .find({ owed: true, resolved_at: { $lt: before } })
    .sort({ resolved_at: 1 })
    .limit(PER_RUN)
    .toArray();
  return workUntilDeadline(left, {
    clock: deps.clock,
    async repair(request) {
      await settle(request, { ...deps, author: authorOf(request) }).catch((error: unknown) => {
        // Its document says that it is out of date or pending again.
        if (!(error instanceof AppError) || error.status >= 500) throw error;
      });
      return 1;
    },
    failed(request, error) {
      deps.log.error({ err: error, request: request._id }, 'a change request is not settled');
      return Promise.resolve();
    },
  });
}

const authorOf = ({ resolved_by: by }: ChangeRequestDoc): PlanAuthor | undefined =>
  by && { [by.kind]: { id: by.id, name: by.name }, action: 'resolve_change_request' };
