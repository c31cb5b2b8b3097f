import {
  allHandlersFinished,
  condition,
  continueAsNew,
  log,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import {
  changesTried,
  type ChangesDone,
  type ChangesInput,
  type ChangesResult,
} from './messages.js';
import { applyChanges } from './proxies.js';

/** Pause before a group that could not be applied is retried, in milliseconds. */
const RETRY_FROM_MS = 500;
const RETRY_TO_MS = 60_000;
/** Time between two checks of a delivery whose buyer's own answer is not known yet. */
const POLL_FROM_MS = 100;
const POLL_TO_MS = 10_000;

/**
 * One group of changes of sold leads. The callers wait for the first try; those whose lead is not ready then (its buyer
 * reported the outcome before its delivery was settled) wait in the database, not in this workflow.
 */
export async function recordOutcomes(input: ChangesInput): Promise<ChangesDone> {
  let tried = input.settle;
  let open = input.changes;
  setHandler(changesTried, async () => {
    await condition(() => tried);
    return open.length;
  });
  let pauses = 0;
  while (open.length > 0) {
    const result = await attempt({ changes: open, settle: tried });
    open = result?.open ?? open;
    const isFirst = !tried;
    tried = true;
    // The first try has not settled the changes it left: the next one does, at once.
    if (open.length > 0 && !(isFirst && result)) {
      const [from, to] = result ? [POLL_FROM_MS, POLL_TO_MS] : [RETRY_FROM_MS, RETRY_TO_MS];
      await sleep(Math.min(from * 2 ** pauses, to));
      pauses += 1;
    }
    if (workflowInfo().continueAsNewSuggested && allHandlersFinished())
      await continueAsNew<typeof recordOutcomes>({ changes: open, settle: true });
  }
  await condition(allHandlersFinished);
  return { changes: input.changes.length };
}

/** Null when nothing could be done now: the database was unavailable, or a worker was lost. */
async function attempt(input: ChangesInput): Promise<ChangesResult | null> {
  try {
    return await applyChanges(input);
  } catch (error) {
    log.warn('the changes could not be made; they are tried again', { error: String(error) });
    return null;
  }
}
