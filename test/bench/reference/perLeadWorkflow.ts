/** One workflow for one lead, and a regular activity for each step, as the samples of the SDK have it. */
import { proxyActivities } from '@temporalio/workflow';
import { goItsWay, type Body, type Outcome, type Steps } from './way.js';

const steps = proxyActivities<Steps>({ startToCloseTimeout: '10 seconds' });

export const takeLead = (id: string, body: Body): Promise<Outcome> => goItsWay(steps, id, body);
