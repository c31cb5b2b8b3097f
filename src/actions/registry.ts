/** Every action. What is not here does not exist on any surface. */
import type { Action } from './action.js';
import { listAudit } from './list/audit.js';
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
import { createApiKey, listApiKeys, revokeApiKey } from './list/keys.js';
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
import { listSuppressionLists } from './list/suppressions.js';
import { ACTION_NAMES } from './names.js';

const ACTIONS: readonly Action[] = [
  listCampaigns,
  getCampaign,
  createCampaignAction,
  updateCampaignAction,
  updateFieldMapping,
  addCampaignFields,
  updateInboundFilters,
  listBuyers,
  getBuyer,
  createBuyerAction,
  updateBuyerAction,
  setBuyerDelivery,
  addBuyerToCampaign,
  updateCampaignBuyer,
  listSuppliers,
  getSupplier,
  createSupplierAction,
  updateSupplierAction,
  deleteSupplierAction,
  addSupplierToCampaign,
  updateCampaignSupplier,
  setSupplierCostMode,
  listSuppressionLists,
  listApiKeys,
  createApiKey,
  revokeApiKey,
  listAudit,
];

/** In the order of their names' list. */
export const REGISTRY: readonly Action[] = ACTION_NAMES.flatMap(
  (name) => ACTIONS.find((action) => action.name === name) ?? [],
);
