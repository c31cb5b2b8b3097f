/** The collections of this room, and of the rooms before it: their documents and typed handles. */
import type { Collection, Db } from 'mongodb';
import { eventCollections, type EventCollections } from '../../events/store/collections.js';
import type {
  OrgDoc,
  VersionDoc,
  SupplierDoc,
  BuyerDoc,
  CampaignBuyerDoc,
  CampaignSupplierDoc,
} from './accountDocs.js';
import type { ApiKeyDoc } from './keyDocs.js';
import type { CampaignDoc } from './campaignDoc.js';
import type { Plan } from '../rules/plan.js';
import type { SuppressionListDoc, SuppressionDoc, SuppressionStateDoc } from './suppressionDocs.js';
import type { AuditDoc, AuditReadDoc } from './auditDocs.js';
import type { AutomationDoc } from './automationDocs.js';
import type { MailRecipientDoc } from './mailRecipients.js';

export interface AccountCollections extends EventCollections {
  orgs: Collection<OrgDoc>;
  versions: Collection<VersionDoc>;
  apiKeys: Collection<ApiKeyDoc>;
  suppliers: Collection<SupplierDoc>;
  buyers: Collection<BuyerDoc>;
  campaigns: Collection<CampaignDoc>;
  campaignBuyers: Collection<CampaignBuyerDoc>;
  campaignSuppliers: Collection<CampaignSupplierDoc>;
  plans: Collection<Plan>;
  suppressionLists: Collection<SuppressionListDoc>;
  suppressions: Collection<SuppressionDoc>;
  suppressionState: Collection<SuppressionStateDoc>;
  spreadsheets: Collection<SpreadsheetDoc>;
  mailRecipients: Collection<MailRecipientDoc>;
  automations: Collection<AutomationDoc>;
  audit: Collection<AuditDoc>;
  auditReads: Collection<AuditReadDoc>;
}

export const accountCollections = (db: Db): AccountCollections => ({
  ...eventCollections(db),
  orgs: db.collection('orgs'),
  versions: db.collection('versions'),
  apiKeys: db.collection('api_keys'),
  suppliers: db.collection('suppliers'),
  buyers: db.collection('buyers'),
  campaigns: db.collection('campaigns'),
  campaignBuyers: db.collection('campaign_buyers'),
  campaignSuppliers: db.collection('campaign_suppliers'),
  plans: db.collection('plans'),
  suppressionLists: db.collection('suppression_lists'),
  suppressions: db.collection('suppressions'),
  suppressionState: db.collection('suppression_state'),
  spreadsheets: db.collection('spreadsheets'),
  mailRecipients: db.collection('mail_recipients'),
  automations: db.collection('automations'),
  audit: db.collection('audit'),
  auditReads: db.collection('audit_reads'),
});

interface SpreadsheetDoc {
  /** Google's id. */
  _id: string;
  org_id: string;
  /** When the organization last named it. */
  claimed_at: Date;
}
