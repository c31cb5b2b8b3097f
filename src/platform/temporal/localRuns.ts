/** Runs that this process begins before their workflow does: its activity returns their result. */

/** In milliseconds. An activity that begins later than this does the work itself: it may be repeated. */
const FORGET_MS = 30_000;

export type LocalRuns<R> = ReturnType<typeof createLocalRuns<R>>;

export function createLocalRuns<R>() {
  const expected = new Map<string, { result: Promise<R>; forgetting: NodeJS.Timeout }>();
  return {
    /** Call it before the workflow is started. A run that no activity takes is dropped after 30 s. */
    expect(workflowId: string, result: Promise<R>): void {
      const forgetting = setTimeout(() => expected.delete(workflowId), FORGET_MS).unref();
      expected.set(workflowId, { result, forgetting });
    },
    /** The run of this workflow, once; undefined if this process has none, or it was taken before. */
    take(workflowId: string): Promise<R> | undefined {
      const one = expected.get(workflowId);
      if (!one) return undefined;
      clearTimeout(one.forgetting);
      expected.delete(workflowId);
      return one.result;
    },
  };
}
