/** The collections of this room: their documents and typed handles. */
import type { Db } from 'mongodb';
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
import type {
  SuppressionListDoc,
  SuppressionDoc,
  SuppressionImportDoc,
  SuppressionStateDoc,
} from './suppressionDocs.js';
import type { AuditDoc, AuditReadDoc } from './auditDocs.js';
import type { AutomationDoc } from './automationDocs.js';
import type { MailRecipientDoc } from './mailRecipients.js';
import type { SavedViewDoc } from './savedViews.js';

export const accountCollections = (db: Db) => ({
  orgs: db.collection<OrgDoc>('orgs'),
  versions: db.collection<VersionDoc>('versions'),
  apiKeys: db.collection<ApiKeyDoc>('api_keys'),
  suppliers: db.collection<SupplierDoc>('suppliers'),
  buyers: db.collection<BuyerDoc>('buyers'),
  campaigns: db.collection<CampaignDoc>('campaigns'),
  campaignBuyers: db.collection<CampaignBuyerDoc>('campaign_buyers'),
  campaignSuppliers: db.collection<CampaignSupplierDoc>('campaign_suppliers'),
  plans: db.collection<Plan>('plans'),
  suppressionLists: db.collection<SuppressionListDoc>('suppression_lists'),
  suppressions: db.collection<SuppressionDoc>('suppressions'),
  suppressionImports: db.collection<SuppressionImportDoc>('suppression_imports'),
  suppressionState: db.collection<SuppressionStateDoc>('suppression_state'),
  spreadsheets: db.collection<SpreadsheetDoc>('spreadsheets'),
  mailRecipients: db.collection<MailRecipientDoc>('mail_recipients'),
  savedViews: db.collection<SavedViewDoc>('saved_views'),
  automations: db.collection<AutomationDoc>('automations'),
  audit: db.collection<AuditDoc>('audit'),
  auditReads: db.collection<AuditReadDoc>('audit_reads'),
});
export type AccountCollections = ReturnType<typeof accountCollections>;

interface SpreadsheetDoc {
  /** Google's id. */
  _id: string;
  org_id: string;
  /** When the organization last named it. */
  claimed_at: Date;
}
