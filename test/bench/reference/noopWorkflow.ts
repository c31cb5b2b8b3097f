/** The smallest workflow that answers an update: the minimum cost of one workflow per request. */
import { allHandlersFinished, condition, defineUpdate, setHandler } from '@temporalio/workflow';

export const answer = defineUpdate<boolean>('answer');

export async function noop(): Promise<void> {
  setHandler(answer, () => true);
  await condition(allHandlersFinished);
}
