/** Runs that this process begins before Temporal asks for them: the workflow takes over their result. */
import type { ProcessResult } from '../../workflows/messages.js';

export interface LocalRuns {
  /** Call it before the workflow is started. A run that no workflow asks for is forgotten after half a minute. */
  expect(workflowId: string, result: Promise<ProcessResult>): void;
  /** Hands a run to the first that asks; undefined where none of this process was expected, or it was handed over before. */
  take(workflowId: string): Promise<ProcessResult> | undefined;
}

/** A first task that comes later than this, in milliseconds, runs as any other does: by then the lease is over. */
const FORGET_MS = 30_000;

interface Expected {
  result: Promise<ProcessResult>;
  forgetting: NodeJS.Timeout;
}

export function createLocalRuns(): LocalRuns {
  const expected = new Map<string, Expected>();
  return {
    expect(workflowId, result) {
      // Whether it failed is heard by those that wait for it.
      result.catch(() => undefined);
      const forgetting = setTimeout(() => expected.delete(workflowId), FORGET_MS).unref();
      expected.set(workflowId, { result, forgetting });
    },
    take(workflowId) {
      const one = expected.get(workflowId);
      if (!one) return undefined;
      clearTimeout(one.forgetting);
      expected.delete(workflowId);
      return one.result;
    },
  };
}
