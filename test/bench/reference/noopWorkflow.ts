/** The smallest workflow that answers an update: what one workflow per request costs at the very least. */
import { allHandlersFinished, condition, defineUpdate, setHandler } from '@temporalio/workflow';

export const answer = defineUpdate<boolean>('answer');

export async function noop(): Promise<void> {
  setHandler(answer, () => true);
  await condition(allHandlersFinished);
}
