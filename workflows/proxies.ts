/** How activities are called, one proxy per timing profile. Types only: no activity code is bundled. */
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from './activities.js';

/**
 * The fast lane: inside the workflow task, without a round trip to the server. One attempt: the workflow's own next
 * check, after the lease, resumes what a failed call left behind. The time limit is above every
 * deadline of the activity itself, because it would not stop the code.
 */
export const { processLeads } = proxyLocalActivities<Activities>({
  startToCloseTimeout: '20s',
  scheduleToCloseTimeout: '30s',
  retry: { maximumAttempts: 1 },
});

/** The same for changes of sold leads. */
export const { applyChanges } = proxyLocalActivities<Activities>({
  startToCloseTimeout: '20s',
  scheduleToCloseTimeout: '30s',
  retry: { maximumAttempts: 1 },
});

/** The durable lane: workers of its own, so that a slow buyer never occupies a slot of the fast lane. */
export const durableLane = (taskQueue: string) =>
  proxyActivities<Activities>({
    taskQueue,
    startToCloseTimeout: '2m',
    heartbeatTimeout: '25s',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
  });

/** An operator's command: a whole queue takes a while, and a command that cannot be done soon is not done later. */
export const operatorsLane = (taskQueue: string) =>
  proxyActivities<Activities>({
    taskQueue,
    startToCloseTimeout: '15m',
    scheduleToCloseTimeout: '30m',
    heartbeatTimeout: '25s',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '10s' },
  });

/** Repair reads through the records: it does not heartbeat. */
export const repair = (taskQueue: string) =>
  proxyActivities<Activities>({
    taskQueue,
    startToCloseTimeout: '50s',
    retry: { initialInterval: '5s', maximumAttempts: 3 },
  });
