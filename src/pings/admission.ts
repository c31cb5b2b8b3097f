/** Whether a request is a ping at all: link, campaign, fields. Pure but for the account cache. */
import { compilePingMapping } from './rules/pingFields.js';
import type { Fields } from '../fields/values.js';
import type { Plan } from '../account/rules/plan.js';
import {
  fieldsFailed,
  findAddressedCampaign,
  readTestFlag,
} from '../account/access/addressedCampaign.js';
import type { AccountCache, SupplierAccess } from '../account/access/accountCache.js';
import { compileOnce } from '../account/access/fieldTools.js';
import type { FieldError } from '../lib/errors.js';

export interface AdmittedPing {
  plan: Plan;
  /** The organization's account version that this was decided on. */
  version: number;
  /** The fields that were sent, normalized. */
  fields: Fields;
  is_test: boolean;
}

export type AdmitPing = (
  access: SupplierAccess,
  body: Record<string, unknown>,
) => Promise<AdmittedPing>;

/** A pause is not an error here: the ping is answered with it. */
export function createPingAdmission(accountCache: AccountCache): AdmitPing {
  const getMapper = compileOnce(compilePingMapping);
  return async (access, body) => {
    const { plan, supplier, version } = await findAddressedCampaign(access, body, accountCache);
    if (plan.routing_method !== 'PING_POST') throw fieldsFailed([TAKES_NO_PINGS]);
    const mapped = (await getMapper(plan))(body);
    const flag = readTestFlag(body);
    const errors = [...flag.errors, ...(mapped.ok ? [] : mapped.errors)];
    if (errors.length > 0 || !mapped.ok) throw fieldsFailed(errors);
    return { plan, version, fields: mapped.fields, is_test: supplier.test_mode || flag.value };
  };
}

const TAKES_NO_PINGS: FieldError = {
  field: 'flo_campaign_id',
  code: 'not_allowed',
  message: 'This campaign accepts leads without a ping (DIRECT_POST): send them to /api/v1/ingest',
};
