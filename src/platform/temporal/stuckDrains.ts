/** Drains whose workflow is open and does nothing: its code cannot replay its history, or it sleeps for no reason. */
import {
  WorkflowNotFoundError,
  type Client,
  type WorkflowExecutionDescription,
} from '@temporalio/client';
import proto from '@temporalio/proto';

const { PENDING_ACTIVITY_STATE_STARTED } = proto.temporal.api.enums.v1.PendingActivityState;

/** Whether the workflow is open and no worker works on it: a further signal would only be added to its history. */
export async function isStuck(client: Client, workflowId: string): Promise<boolean> {
  try {
    return doesNothing(await client.workflow.getHandle(workflowId).describe());
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

function doesNothing({ status, raw }: WorkflowExecutionDescription): boolean {
  const activities = raw.pendingActivities ?? [];
  if (status.name !== 'RUNNING') return false;
  // A worker drains, perhaps for a workflow that cannot go on: no second drain is started.
  if (activities.some(({ state }) => state === PENDING_ACTIVITY_STATE_STARTED)) return false;
  // A call that waits for a worker or for its next try is no fault of the workflow.
  return activities.length === 0 || (raw.pendingWorkflowTask?.attempt ?? 0) > 1;
}
