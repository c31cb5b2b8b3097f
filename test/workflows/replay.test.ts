import { beforeAll, describe, expect, it } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { createLog } from '../../src/lib/log.js';
import { WORKFLOW_BUNDLE } from '../../src/platform/temporal/bundle.js';
import { installRuntime } from '../../src/app/temporalWorkers.js';
import {
  countOf,
  HISTORY_NAMES,
  PATHS,
  readHistory,
  revive,
  type HistoryName,
  type RecordedHistory,
} from './histories.js';
import { readPreviousBundle } from './previousBundle.js';

/** The bundle's verdict on each history: undefined, or the error. */
async function replay(
  histories: Record<string, RecordedHistory>,
  workflowBundle: { codePath: string } | { code: string } = { codePath: WORKFLOW_BUNDLE },
): Promise<Map<string, unknown>> {
  const verdicts = new Map<string, unknown>();
  const given = Object.entries(histories).map(([workflowId, recorded]) => ({
    workflowId,
    history: revive(recorded),
  }));
  const options = { workflowBundle };
  for await (const { workflowId, error } of Worker.runReplayHistories(options, given))
    verdicts.set(workflowId, error);
  return verdicts;
}

/** The history with one event changed as if other code had made it. */
function changed(
  history: RecordedHistory,
  type: string,
  change: (event: Record<string, unknown>) => Record<string, unknown>,
): RecordedHistory {
  const index = history.events.findIndex(({ eventType }) => eventType === `EVENT_TYPE_${type}`);
  const event = history.events[index];
  if (!event) throw new Error(`No ${type} in the history`);
  return {
    events: history.events.with(index, { ...change(event), eventType: event.eventType }),
  };
}

describe('the workflows', () => {
  const recorded = {} as Record<HistoryName, RecordedHistory>;
  beforeAll(async () => {
    installRuntime(createLog('silent', 'test'));
    for (const name of HISTORY_NAMES) recorded[name] = await readHistory(name);
  });

  it.each(HISTORY_NAMES)('have a history that matches its name: %s', (name) => {
    for (const [type, least] of Object.entries(PATHS[name]))
      expect(countOf(recorded[name], type)).toBeGreaterThanOrEqual(least);
    expect(countOf(recorded[name], 'WORKFLOW_EXECUTION_COMPLETED')).toBe(1);
  });

  it('replay each recorded history', async () => {
    const verdicts = await replay(recorded);
    expect(Object.fromEntries(verdicts)).toEqual(
      Object.fromEntries(HISTORY_NAMES.map((name) => [name, undefined])),
    );
  });

  it('can be rolled back: those of the latest release also continue each history', async () => {
    const verdicts = await replay(recorded, { code: await readPreviousBundle() });
    expect(Object.fromEntries(verdicts)).toEqual(
      Object.fromEntries(HISTORY_NAMES.map((name) => [name, undefined])),
    );
  });

  it('fail on a history in which another activity was called', async () => {
    const other = changed(recorded['destination-drained'], 'ACTIVITY_TASK_SCHEDULED', (event) => ({
      ...event,
      activityTaskScheduledEventAttributes: {
        ...(event.activityTaskScheduledEventAttributes as object),
        activityType: { name: 'somethingElse' },
      },
    }));
    const verdicts = await replay({ other, same: recorded['destination-drained'] });
    expect(verdicts.get('other')).toBeInstanceOf(DeterminismViolationError);
    expect(verdicts.get('same')).toBeUndefined();
  });

  it('fail on a history without a sleep before the second check', async () => {
    const { events } = recorded['intake-settled-later'];
    const awake = {
      events: events
        .filter(({ eventType }) => !eventType.includes('TIMER'))
        .map((event, index) => ({ ...event, eventId: String(index + 1) })),
    };
    const verdicts = await replay({ awake });
    expect(verdicts.get('awake')).toBeInstanceOf(DeterminismViolationError);
  });
});
