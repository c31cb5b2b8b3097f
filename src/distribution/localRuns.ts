/** Runs that this process begins before their workflow does: its activity returns their result. */
import type { ProcessResult } from '../../workflows/messages.js';

export interface LocalRuns {
  /** Call it before the workflow is started. A run that no activity takes is dropped after 30 s. */
  expect(workflowId: string, result: Promise<ProcessResult>): void;
  /** The run of this workflow, once; undefined if this process has none, or it was taken before. */
  take(workflowId: string): Promise<ProcessResult> | undefined;
}

/** An activity that begins later, in milliseconds, acquires the leads itself: by then their lease has ended. */
const FORGET_MS = 30_000;

interface Expected {
  result: Promise<ProcessResult>;
  forgetting: NodeJS.Timeout;
}

export function createLocalRuns(): LocalRuns {
  const expected = new Map<string, Expected>();
  return {
    expect(workflowId, result) {
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
