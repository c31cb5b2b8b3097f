/** Every action, in the order of `names.ts`. An action that is missing here exists on no surface. */
import type { Action } from './action.js';
import { listAudit } from './list/audit.js';
import {
  createAutomationAction,
  getAutomation,
  listAutomations,
  updateAutomationAction,
} from './list/automations.js';
import { addBuyerToCampaign, updateCampaignBuyer } from './list/buyerLinks.js';
import {
  createBuyerAction,
  getBuyer,
  listBuyers,
  setBuyerDelivery,
  updateBuyerAction,
} from './list/buyers.js';
import {
  addCampaignFields,
  createCampaignAction,
  getCampaign,
  listCampaigns,
  updateCampaignAction,
  updateFieldMapping,
  updateInboundFilters,
} from './list/campaigns.js';
import {
  dropDeliveries,
  holdDeliveries,
  resolveDelivery,
  retryDeliveries,
} from './list/deliveries.js';
import {
  listEventDeliveries,
  listenEvents,
  listEventsAction,
  resendEvent,
  sendTestEventAction,
} from './list/events.js';
import { listChangeRequestsAction, resolveChangeRequestAction } from './list/changeRequests.js';
import {
  inviteMember,
  listMembers,
  listSessions,
  removeMember,
  revokeSession,
  updateMember,
} from './list/members.js';
import { addPortalMember, getPortalMembers, removePortalMember } from './list/portalMembers.js';
import {
  configurePortalSettings,
  enableBuyerPortal,
  enableSupplierPortal,
  getPortalSettings,
  listPortalsAction,
} from './list/portals.js';
import { explainLeadAction } from './list/explain.js';
import {
  deleteFunnelAction,
  publishFunnelAction,
  unpublishFunnelAction,
} from './list/funnelPublishing.js';
import {
  createFunnelAction,
  getFunnelAction,
  listFunnelsAction,
  listFunnelTemplates,
  updateFunnelAction,
} from './list/funnels.js';
import { getConsentRecord, getFunnelStatsAction } from './list/funnelStats.js';
import { getCampaignApiSpec } from './list/guide.js';
import { createApiKey, listApiKeys, revokeApiKey } from './list/keys.js';
import { getLead, getLeadDistributionTrail, getLeads } from './list/leads.js';
import { getOnboardingStatus } from './list/onboarding.js';
import { rotateBuyerSecret } from './list/buyerSecret.js';
import { recordOutcome } from './list/outcome.js';
import { getPlanHistory, revertPlan } from './list/plans.js';
import { configurePingPost, getPing, setBuyerPing } from './list/pings.js';
import { getBuyerReconciliation } from './list/reconciliation.js';
import { getCampaignPerformance, getLeadBreakdown, getLeadStats } from './list/reports.js';
import {
  listReturns,
  requestReturnAction,
  resolveReturnAction,
  setBuyerReturnsAction,
} from './list/returns.js';
import {
  addSupplierToCampaign,
  setSupplierCostMode,
  updateCampaignSupplier,
} from './list/supplierLinks.js';
import {
  createSupplierAction,
  deleteSupplierAction,
  getSupplier,
  listSuppliers,
  updateSupplierAction,
} from './list/suppliers.js';
import { rotateSupplierKeyAction } from './list/supplierKey.js';
import { configureSingleSignOn, getSingleSignOn } from './list/singleSignOn.js';
import { sendTestLeadAction } from './list/testLead.js';
import {
  deleteSuppressionList,
  listSuppressionLists,
  removeSuppressionEntries,
  uploadSuppressionList,
} from './list/suppressions.js';

export const REGISTRY: readonly Action[] = [
  listCampaigns,
  getCampaign,
  createCampaignAction,
  updateCampaignAction,
  updateFieldMapping,
  addCampaignFields,
  updateInboundFilters,
  configurePingPost,
  getPlanHistory,
  revertPlan,
  getCampaignApiSpec,
  getOnboardingStatus,
  listBuyers,
  getBuyer,
  createBuyerAction,
  updateBuyerAction,
  setBuyerDelivery,
  setBuyerPing,
  rotateBuyerSecret,
  setBuyerReturnsAction,
  addBuyerToCampaign,
  updateCampaignBuyer,
  listSuppliers,
  getSupplier,
  createSupplierAction,
  updateSupplierAction,
  rotateSupplierKeyAction,
  deleteSupplierAction,
  addSupplierToCampaign,
  updateCampaignSupplier,
  setSupplierCostMode,
  getLeads,
  getLead,
  getLeadDistributionTrail,
  explainLeadAction,
  getConsentRecord,
  sendTestLeadAction,
  recordOutcome,
  getPing,
  retryDeliveries,
  holdDeliveries,
  dropDeliveries,
  resolveDelivery,
  requestReturnAction,
  resolveReturnAction,
  listReturns,
  listAutomations,
  getAutomation,
  createAutomationAction,
  updateAutomationAction,
  sendTestEventAction,
  listEventsAction,
  listenEvents,
  listEventDeliveries,
  resendEvent,
  uploadSuppressionList,
  listSuppressionLists,
  removeSuppressionEntries,
  deleteSuppressionList,
  listFunnelTemplates,
  listFunnelsAction,
  getFunnelAction,
  createFunnelAction,
  updateFunnelAction,
  publishFunnelAction,
  unpublishFunnelAction,
  getFunnelStatsAction,
  deleteFunnelAction,
  listPortalsAction,
  getPortalSettings,
  enableBuyerPortal,
  enableSupplierPortal,
  configurePortalSettings,
  getPortalMembers,
  addPortalMember,
  removePortalMember,
  listChangeRequestsAction,
  resolveChangeRequestAction,
  listMembers,
  inviteMember,
  updateMember,
  removeMember,
  listSessions,
  revokeSession,
  listApiKeys,
  createApiKey,
  revokeApiKey,
  getSingleSignOn,
  configureSingleSignOn,
  listAudit,
  getLeadStats,
  getLeadBreakdown,
  getCampaignPerformance,
  getBuyerReconciliation,
];
