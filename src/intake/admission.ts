/** Whether a request may become a lead at all: key, link, campaign, fields. Pure but for the directory. */
import { createHash, randomUUID } from 'node:crypto';
import { AppError, type FieldError } from '../errors.js';
import { compileMapping, type LeadMapper } from '../domain/mapping.js';
import { lookupKeys } from '../domain/dedupe.js';
import type { Lead } from '../domain/lead.js';
import type { Plan } from '../domain/plan.js';
import { receivedEntry } from '../domain/screen.js';
import type { Clock } from '../clock.js';
import type { Directory, SupplierAccess } from './directory.js';
import { fieldToolsFor } from './fieldTools.js';

export interface Admitted {
  lead: Lead;
  plan: Plan;
  /** Of the organisation's account, as this was decided on. */
  version: number;
}

export type Admit = (access: SupplierAccess, body: Record<string, unknown>) => Promise<Admitted>;

/**
 * A run must have taken the lead by then. Before the API gives up waiting for the start (3.5 s): a run that
 * comes later finds the lead too late, even if the API could not withdraw it.
 */
const TAKE_WITHIN_MS = 3_300;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function createAdmission(directory: Directory, clock: Clock): Admit {
  const mappers = new WeakMap<Plan, LeadMapper>();
  const mapperOf = async (plan: Plan): Promise<LeadMapper> => {
    const known = mappers.get(plan);
    if (known) return known;
    const mapper = compileMapping(plan.fields, await fieldToolsFor(plan.fields));
    mappers.set(plan, mapper);
    return mapper;
  };

  return async (access, body) => {
    const { campaignId, supplierId } = readIds(body);
    const current = UUID.test(campaignId)
      ? await directory.plan(access.org_id, campaignId.toLowerCase())
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
    const supplier = plan.suppliers[access.supplier_id];
    if (!supplier) {
      const message = 'This supplier is not linked to the campaign. Ask its operator for a link.';
      throw new AppError('forbidden', message);
    }
    const mapped = (await mapperOf(plan))(body);
    const errors = [
      ...readTestFlag(body).errors,
      ...pingErrors(plan, body),
      ...(mapped.ok ? [] : mapped.errors),
    ];
    const isTest = supplier.test_mode || readTestFlag(body).value;
    if (!isTest) refusePaused(plan, supplier.status);
    if (errors.length > 0 || !mapped.ok) {
      const message = 'One or more fields failed validation';
      throw new AppError('validation_failed', message, { field_errors: errors });
    }
    const now = clock.now();
    const id = randomUUID();
    const lead: Lead = {
      _id: id,
      org_id: access.org_id,
      campaign_id: plan.campaign_id,
      supplier_id: access.supplier_id,
      plan_version: plan.version,
      status: 'NEW',
      is_test: isTest,
      seed: id,
      fields: mapped.fields,
      extra: mapped.extra,
      keys: lookupKeys(mapped.fields),
      body_hash: bodyHash(access.supplier_id, body),
      created_at: now,
      take_by: new Date(Number(now) + TAKE_WITHIN_MS),
      takes: 0,
      run: null,
      lease_until: null,
      buyer_id: null,
      sales: [],
      price: 0,
      cost: 0,
      profit: 0,
      trail: [receivedEntry(plan.version, now)],
    };
    return { lead, plan, version };
  };
}

function readIds(body: Record<string, unknown>): { campaignId: string; supplierId: string } {
  const errors: FieldError[] = [];
  const read = (field: string): string => {
    const value = body[field];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    const missing =
      value === undefined || value === null || value === '' || typeof value === 'string';
    errors.push(
      missing
        ? { field, code: 'required', message: `${field} is required` }
        : {
            field,
            code: 'invalid_type',
            message: `${field} must be text, the id as it was given to you`,
          },
    );
    return '';
  };
  const ids = { campaignId: read('flo_campaign_id'), supplierId: read('flo_supplier_id') };
  if (errors.length > 0) {
    throw new AppError('validation_failed', 'One or more fields failed validation', {
      field_errors: errors,
    });
  }
  return ids;
}

const TEST_WORDS: Record<string, boolean> = {
  true: true,
  '1': true,
  false: false,
  '0': false,
  '': false,
};

function readTestFlag(body: Record<string, unknown>): { value: boolean; errors: FieldError[] } {
  const flag = body.test_lead;
  if (flag === undefined || flag === null) return { value: false, errors: [] };
  if (typeof flag === 'boolean') return { value: flag, errors: [] };
  const word = typeof flag === 'string' ? TEST_WORDS[flag.trim().toLowerCase()] : undefined;
  if (word !== undefined) return { value: word, errors: [] };
  const message = 'test_lead must be true or false';
  return { value: false, errors: [{ field: 'test_lead', code: 'invalid_type', message }] };
}

/** A ping-post campaign takes a lead only with the ping it won (extensions, "Ping"). */
function pingErrors(plan: Plan, body: Record<string, unknown>): FieldError[] {
  if (plan.routing_method !== 'PING_POST') return [];
  const field = 'flo_ping_id';
  const ping = body[field];
  if (ping === undefined || ping === null || ping === '') {
    const message = 'flo_ping_id is required: this campaign takes leads by ping-post only';
    return [{ field, code: 'required', message }];
  }
  const message = 'flo_ping_id is not a ping_id that this service has given out';
  return [{ field, code: 'invalid_format', message }];
}

function refusePaused(plan: Plan, supplierStatus: 'active' | 'paused'): void {
  if (plan.status !== 'ACTIVE') {
    const message =
      'The campaign takes no leads now: it is not ACTIVE. Test leads still go through.';
    throw new AppError('campaign_paused', message);
  }
  if (supplierStatus === 'paused') {
    const message = 'This source is paused. Test leads still go through.';
    throw new AppError('source_paused', message);
  }
}

/** The same request has the same hash, whatever the order of its keys. */
export function bodyHash(supplierId: string, body: Record<string, unknown>): string {
  const entries = Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([supplierId, entries]))
    .digest('base64url');
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 64));
