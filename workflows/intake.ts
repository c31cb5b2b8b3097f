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
  decision,
  type IntakeDone,
  type IntakeInput,
  type LeadVerdict,
  type ProcessResult,
} from './messages.js';
import { processLeads } from './proxies.js';

/** Pause before a group that could not be processed is retried, in milliseconds. */
const RETRY_FROM_MS = 1_000;
const RETRY_TO_MS = 60_000;

/**
 * One group of leads. The callers wait for `decision`; after it the workflow stays, asleep, until every
 * lead of the group is decided or waits in the durable lane, and resumes leads that a lost worker left.
 */
export async function intake({ leadIds }: IntakeInput): Promise<IntakeDone> {
  let verdicts: LeadVerdict[] | null | undefined;
  setHandler(decision, async () => {
    await condition(() => verdicts !== undefined);
    return verdicts ?? null;
  });

  let failures = 0;
  let open = leadIds;
  const statuses = new Map<string, LeadVerdict['status']>();
  while (open.length > 0) {
    const result = await attempt({ leadIds: open });
    verdicts ??= result?.verdicts ?? null;
    for (const { id, status } of result?.verdicts ?? []) statuses.set(id, status);
    failures = result ? 0 : failures + 1;
    const waitMs = result
      ? result.dueInMs
      : Math.min(RETRY_FROM_MS * 2 ** (failures - 1), RETRY_TO_MS);
    open = result ? result.open : open;
    if (open.length > 0) await sleep(Math.max(waitMs, 100));
    if (workflowInfo().continueAsNewSuggested && allHandlersFinished()) {
      await continueAsNew<typeof intake>({ leadIds: open });
    }
  }
  await condition(allHandlersFinished);
  return { leads: leadIds.length, verdicts: countEach([...statuses.values()]) };
}

function countEach(statuses: readonly LeadVerdict['status'][]): IntakeDone['verdicts'] {
  const counts: IntakeDone['verdicts'] = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Null when the group could not be processed now: the database was unavailable, or a worker was lost. */
async function attempt(input: IntakeInput): Promise<ProcessResult | null> {
  try {
    return await processLeads(input);
  } catch (error) {
    log.warn('the group could not be processed; it is tried again', { error: String(error) });
    return null;
  }
}
