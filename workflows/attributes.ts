/** Search attributes that workflows set themselves. The names are those of `src/platform/temporal/names.ts`, which is not bundled. */
import { defineSearchAttributeKey } from '@temporalio/common';

export const CAMPAIGN_ID = defineSearchAttributeKey('CampaignId', 'KEYWORD_LIST');
export const ORG_ID = defineSearchAttributeKey('OrgId', 'KEYWORD_LIST');
