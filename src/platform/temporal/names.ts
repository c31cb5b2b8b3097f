/** Names in Temporal: task queues, workflow ids, search attributes. */
import { defineSearchAttributeKey } from '@temporalio/common';

export interface TaskQueues {
  /** Workflows and local activities. */
  leads: string;
  /** Regular activities: slow buyers never hold places of `leads`. */
  delivery: string;
  /** Id of the schedule that repairs the work of these queues. */
  reconcile: string;
  /** Prefix of the ids of the workflows that expire pings; the minute follows. */
  pingExpiry: string;
  /** The same for the workflows that close conversion windows. */
  outcomeExpiry: string;
}

/** A prefix keeps installations that share a namespace apart. */
export const taskQueues = (prefix: string): TaskQueues => ({
  leads: `${prefix}leads`,
  delivery: `${prefix}delivery`,
  reconcile: `${prefix}reconcile`,
  pingExpiry: `${prefix}pingExpiry`,
  outcomeExpiry: `${prefix}outcomeExpiry`,
});

/** Lists, because one workflow handles a group; operators find it by the id of any of its leads. */
export const LEAD_ID = defineSearchAttributeKey('LeadId', 'KEYWORD_LIST');
export const CAMPAIGN_ID = defineSearchAttributeKey('CampaignId', 'KEYWORD_LIST');
export const ORG_ID = defineSearchAttributeKey('OrgId', 'KEYWORD_LIST');

export const intakeId = (groupId: string): string => `intake:${groupId}`;
/** @param until whole minutes are written without their seconds: `pingExpiry:2026-11-22T10:05Z` */
export const pingExpiryId = (queues: Pick<TaskQueues, 'pingExpiry'>, until: Date): string =>
  expiryId(queues.pingExpiry, until);
export const outcomeExpiryId = (queues: Pick<TaskQueues, 'outcomeExpiry'>, until: Date): string =>
  expiryId(queues.outcomeExpiry, until);
const expiryId = (name: string, until: Date): string =>
  `${name}:${until.toISOString().replace(':00.000Z', 'Z')}`;
export const outcomesId = (groupId: string): string => `outcomes:${groupId}`;
export const destinationId = (buyerId: string): string => `destination:${buyerId}`;
