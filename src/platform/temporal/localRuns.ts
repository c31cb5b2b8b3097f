/** Runs that this process begins before their workflow does: its activity returns their result. */

export interface LocalRuns<R> {
  /** Call it before the workflow is started. A run that no activity takes is dropped after 30 s. */
  expect(workflowId: string, result: Promise<R>): void;
  /** The run of this workflow, once; undefined if this process has none, or it was taken before. */
  take(workflowId: string): Promise<R> | undefined;
}

/** In milliseconds. An activity that begins later than this does the work itself: it may be repeated. */
const FORGET_MS = 30_000;

interface Expected<R> {
  result: Promise<R>;
  forgetting: NodeJS.Timeout;
}

export function createLocalRuns<R>(): LocalRuns<R> {
  const expected = new Map<string, Expected<R>>();
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
