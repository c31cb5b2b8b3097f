/** Filters of leads: as a caller writes them, and as the search uses them. */
import { readTimeZone } from '../../account/orgs.js';
import { z } from 'zod';
import { findBuyer } from '../../account/buyers/buyers.js';
import { findCampaign } from '../../account/campaigns/campaigns.js';
import { findSupplier } from '../../account/suppliers/suppliers.js';
import { dayAfter, startOfDay } from '../../fields/days.js';
import { lookupKeysOf } from '../../leads/rules/dedupe.js';
import { normalizeEmail, normalizePhone } from '../../fields/normalize.js';
import { SALE_OUTCOMES } from '../../leads/rules/saleChange.js';
import { SOLD_STATUSES, type DistributionStatus } from '../../leads/rules/leadStatus.js';
import type { InputFault } from '../../lib/errors.js';
import { visibleText } from '../../lib/invisible.js';
import type { LeadFilter } from '../../leads/store/leadPages.js';
import type { ActionContext } from './action.js';
import { invalidField, invalidInput } from './readInput.js';
import { keysOfText } from './leadText.js';
import { id } from './schemas/common.js';
import { OutcomeName, ShownStatusName } from './schemas/lead.js';

const day = (which: string) =>
  z.iso.date().optional().describe(`${which}, YYYY-MM-DD in the time zone of the account`);
const text = (what: string) => z.string().min(1).max(500).optional().describe(what);

/** The part of an input that filters leads. */
export const leadFilterInput = {
  campaign_id: id('campaign').optional(),
  supplier_id: id('supplier').optional(),
  buyer_id: id('buyer').optional().describe('The buyer of the first sale, by its id'),
  status: ShownStatusName.optional().describe(
    'In capitals: the decision of the distribution; ACCEPTED is every sold lead, whatever its outcome. In lower ' +
      'case, and RETURNED: the status that a sold lead shows',
  ),
  outcome: OutcomeName.optional().describe(
    'The latest outcome that a buyer reported, returned or not; expired: the time limit passed',
  ),
  date_from: day('Leads received on this day or later'),
  date_to: day('Leads received on this day or earlier'),
  created_from: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('Leads received at this instant or later, such as 2026-11-22T07:30:00Z'),
  phone: text('With this phone, in any format'),
  email: text('With this email'),
  click_id: text("With this click_id, as a field of the campaign's mapping stores it"),
  search: text('A phone, email or click_id, or the name: Aisha Smith, or one of both'),
  is_test: z.boolean().default(false).describe('true: test leads instead of live ones'),
};

type WantedLeads = z.output<z.ZodObject<typeof leadFilterInput>>;

/** @throws {AppError} `invalid_input` for a phone, an email or days that no lead can have */
export async function readLeadFilter(
  wanted: WantedLeads,
  context: ActionContext,
): Promise<LeadFilter> {
  const { campaign_id, supplier_id, buyer_id, is_test } = wanted;
  return {
    org_id: context.caller.org_id,
    is_test,
    campaign_id,
    supplier_id,
    buyer_id,
    keys: [...keysOf(wanted), ...searchedKeys(wanted.search)],
    ...decisionOf(wanted),
    ...(await spanOf(wanted, context)),
  };
}

type Decision = Pick<LeadFilter, 'statuses' | 'outcome' | 'isReturned'>;

/** The decision on a lead, and its outcome. No lead has two outcomes. */
function decisionOf({ status, outcome }: WantedLeads): Decision {
  const shown = SALE_OUTCOMES.find((one) => one === status);
  if (shown !== undefined) {
    if (outcome !== undefined && outcome !== shown) return { statuses: [] };
    return { outcome: shown, isReturned: false };
  }
  if (status === 'RETURNED') return { outcome, isReturned: true };
  if (status === undefined) return { outcome };
  return { outcome, statuses: statusesOf(status as DistributionStatus) };
}

/** A lead that is still being sold to more buyers is shown as sold. */
const statusesOf = (status: DistributionStatus): LeadFilter['statuses'] =>
  status === 'ACCEPTED' ? SOLD_STATUSES : [status];

function keysOf({ phone, email, click_id }: WantedLeads): string[][] {
  const faults: InputFault[] = [];
  const normal = (
    path: 'phone' | 'email' | 'click_id',
    given: string | undefined,
    read: (trimmed: string) => string | null,
    expected: string,
  ) => {
    if (given === undefined) return {};
    const value = read(visibleText(given));
    if (value !== null) return { [path]: value };
    faults.push({ path, code: 'invalid_format', message: `${path} must be ${expected}.` });
    return {};
  };
  const fields = {
    ...normal('phone', phone, normalizePhone, 'a phone number of 10-15 digits'),
    ...normal('email', email, normalizeEmail, 'an email address such as name@example.com'),
    ...normal('click_id', click_id, (id) => id || null, 'a text that is not blank'),
  };
  if (faults.length > 0) throw invalidInput(faults);
  return Object.entries(fields).map(([name, value]) => lookupKeysOf(name, value));
}

/** @throws {AppError} `invalid_input` for a blank text */
function searchedKeys(search: string | undefined): string[][] {
  if (search === undefined) return [];
  const text = visibleText(search);
  if (text === '') throw invalidField('search', 'required', 'search must not be blank.');
  return keysOfText(text);
}

/** Both days are included; of a day and an instant to begin with, the later one counts. */
async function spanOf(
  { date_from, date_to, created_from }: WantedLeads,
  { collections, caller }: ActionContext,
): Promise<Pick<LeadFilter, 'from' | 'before'>> {
  const instant = created_from === undefined ? undefined : new Date(created_from);
  if (date_from === undefined && date_to === undefined) return { from: instant };
  if (date_from !== undefined && date_to !== undefined && date_from > date_to) {
    const message = `date_from must not be after date_to, ${date_to}.`;
    throw invalidField('date_from', 'out_of_range', message);
  }
  const zone = await readTimeZone(collections, caller.org_id);
  const day = date_from === undefined ? undefined : startOfDay(date_from, zone);
  const from = day && instant ? new Date(Math.max(Number(day), Number(instant))) : (day ?? instant);
  return { from, before: date_to ? startOfDay(dayAfter(date_to), zone) : undefined };
}

/** @throws {AppError} `not_found` for a campaign, supplier or buyer that the organization does not have */
export async function requireNamed(
  {
    campaign_id,
    supplier_id,
    buyer_id,
  }: Pick<WantedLeads, 'campaign_id' | 'supplier_id' | 'buyer_id'>,
  context: ActionContext,
): Promise<void> {
  if (campaign_id !== undefined) await findCampaign(context, campaign_id);
  if (buyer_id !== undefined) await findBuyer(context, buyer_id);
  if (supplier_id !== undefined) await findSupplier(context, supplier_id);
}
