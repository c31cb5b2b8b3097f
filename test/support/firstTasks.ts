/** What may become of the first task of a workflow whose work this process does already. */
import type { Client } from '@temporalio/client';
import type { LocalRuns } from '../../src/platform/temporal/localRuns.js';
import { waitFor } from './waitFor.js';

/** The first task of each workflow fails; later ones do the work as any process does. */
export function failFirst<R>(): LocalRuns<R>['take'] {
  const failed = new Set<string>();
  return (workflowId) => {
    if (failed.has(workflowId)) return undefined;
    failed.add(workflowId);
    return Promise.reject(new Error('the first task is lost'));
  };
}

/** Resolves when there are workflows of this query, and all of them have completed. */
export async function waitUntilCompleted({ workflow }: Client, query: string): Promise<void> {
  const haveEnded = async (): Promise<boolean> => {
    const [all, ended] = await Promise.all([
      workflow.count(query),
      workflow.count(`${query} AND ExecutionStatus = 'Completed'`),
    ]);
    return all.count > 0 && all.count === ended.count;
  };
  await waitFor(haveEnded, { message: 'each workflow has ended', timeoutMs: 20_000 });
}
