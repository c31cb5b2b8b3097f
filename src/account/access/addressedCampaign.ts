/** What a supplier's request addresses: the campaign and the link that it names, and whether it is a test. */
import { AppError, type FieldError } from '../../lib/errors.js';
import { isWrittenAsId } from '../../lib/ids.js';
import { visibleText } from '../../lib/invisible.js';
import type { Plan, SupplierTerms } from '../rules/plan.js';
import type { AccountCache, SupplierAccess } from './accountCache.js';
import { getOwn } from '../../lib/getOwn.js';

export interface AddressedCampaign {
  plan: Plan;
  /** The link of the key's supplier. */
  supplier: SupplierTerms;
  /** The organization's account version at the time of the read. */
  version: number;
}

/** @throws {AppError} `validation_failed`, `campaign_not_found`, `forbidden` */
export async function findAddressedCampaign(
  access: SupplierAccess,
  body: Record<string, unknown>,
  accountCache: AccountCache,
): Promise<AddressedCampaign> {
  const { campaignId, supplierId } = readIds(body);
  const current = isWrittenAsId(campaignId)
    ? await accountCache.plan(access.org_id, campaignId.toLowerCase())
    : null;
  if (!current) {
    const message = `There is no campaign ${quoted(campaignId)}. Use the id shown with the campaign.`;
    throw new AppError('campaign_not_found', message);
  }
  const { plan, version } = current;
  if (supplierId.toLowerCase() !== access.supplier_id) {
    const message = `flo_supplier_id ${quoted(supplierId)} is not the supplier this key belongs to.`;
    throw new AppError('forbidden', message);
  }
  const supplier = getOwn(plan.suppliers, access.supplier_id);
  if (!supplier) {
    const message = 'This supplier is not linked to the campaign. Ask its operator for a link.';
    throw new AppError('forbidden', message);
  }
  return { plan, supplier, version };
}

function readIds(body: Record<string, unknown>): { campaignId: string; supplierId: string } {
  const errors: FieldError[] = [];
  const read = (field: string): string => {
    const value = getOwn(body, field);
    const text = typeof value === 'string' ? visibleText(value) : '';
    if (text !== '') return text;
    if (value == null || typeof value === 'string')
      errors.push({ field, code: 'required', message: `${field} is required` });
    else {
      const message = `${field} must be text, the id as you received it`;
      errors.push({ field, code: 'invalid_type', message });
    }
    return '';
  };
  const ids = { campaignId: read('flo_campaign_id'), supplierId: read('flo_supplier_id') };
  if (errors.length > 0) throw fieldsFailed(errors);
  return ids;
}

const TEST_WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
  ['', false],
]);

export function readTestFlag(body: Record<string, unknown>): {
  value: boolean;
  errors: FieldError[];
} {
  const flag = body.test_lead;
  if (flag === undefined || flag === null) return { value: false, errors: [] };
  if (typeof flag === 'boolean') return { value: flag, errors: [] };
  const word =
    typeof flag === 'string' ? TEST_WORDS.get(visibleText(flag).toLowerCase()) : undefined;
  if (word !== undefined) return { value: word, errors: [] };
  const message = 'test_lead must be true or false';
  return { value: false, errors: [{ field: 'test_lead', code: 'invalid_type', message }] };
}

export const fieldsFailed = (field_errors: FieldError[]): AppError =>
  new AppError('validation_failed', 'One or more fields failed validation', { field_errors });

const quoted = (text: string): string => JSON.stringify(text.slice(0, 64));
