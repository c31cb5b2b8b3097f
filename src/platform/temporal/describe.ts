/** How a workflow of a group of leads is described and found. */
import { CAMPAIGN_ID, LEAD_ID, ORG_ID, type TaskQueues } from './names.js';

/** The ids by which a lead is found in Temporal. */
export interface LeadRef {
  _id: string;
  org_id: string;
  campaign_id: string;
}

/** @param noun names the items: `lead`, `outcome` */
export const describeLeads = (leads: readonly LeadRef[], queues: TaskQueues, noun: string) => ({
  taskQueue: queues.leads,
  workflowTaskTimeout: '3s' as const,
  staticSummary: leads.length === 1 ? `1 ${noun}` : `${leads.length} ${noun}s`,
  typedSearchAttributes: [
    { key: LEAD_ID, value: [...new Set(leads.map((lead) => lead._id))] },
    { key: CAMPAIGN_ID, value: [...new Set(leads.map((lead) => lead.campaign_id))] },
    { key: ORG_ID, value: [...new Set(leads.map((lead) => lead.org_id))] },
  ],
});
