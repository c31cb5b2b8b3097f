/** Classifies Temporal's errors: the server was not reached, or did not answer in time. */
import {
  isGrpcServiceError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type Client,
} from '@temporalio/client';
import { AppError, unavailable } from '../../lib/errors.js';
import { withTimeout } from '../../lib/withTimeout.js';

const CANCELLED = 1;
const DEADLINE_EXCEEDED = 4;
const UNAVAILABLE = 14;

/** The client wraps what gRPC reports. */
const CAUSES_MAX = 5;

function grpcCodeOf(error: unknown): number | undefined {
  let cause: unknown = error;
  for (let depth = 0; depth < CAUSES_MAX && cause instanceof Error; depth += 1) {
    // It says itself whether the work was done.
    if (cause instanceof AppError) return undefined;
    if (isGrpcServiceError(cause)) return cause.code;
    cause = cause.cause;
  }
  return undefined;
}

/** Temporal could not be reached, or the connection broke meanwhile. */
export const isUnreached = (error: unknown): error is Error => grpcCodeOf(error) === UNAVAILABLE;

/** Temporal did not answer in time: what was asked of it may be done all the same. */
export function isUnanswered(error: unknown): error is Error {
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return true;
  const code = grpcCodeOf(error);
  return code === DEADLINE_EXCEEDED || code === CANCELLED;
}

/** How long Temporal may take to say that it is there, in milliseconds. */
const ASK_MS = 5_000;

/**
 * Before something is asked of Temporal that may take long: otherwise the client would try for as long as that may take.
 * @throws {AppError} `unavailable`, naming Temporal
 */
export async function requireTemporal(client: Client): Promise<void> {
  try {
    // A connection that workers share tries again beyond the deadline of a call.
    await withTimeout(ASK_MS, 'Temporal does not answer.', () =>
      client.withDeadline(Date.now() + ASK_MS, () => client.workflowService.getSystemInfo({})),
    );
  } catch (error) {
    throw temporalAway(error);
  }
}

const temporalAway = (cause: unknown): AppError =>
  unavailable(
    'Nothing was done. Temporal, which runs the work, does not answer now. Try again.',
    cause,
  );
