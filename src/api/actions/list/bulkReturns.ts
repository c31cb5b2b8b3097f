/** Returns of many leads at once. */
import { z } from 'zod';
import { findPage, NEWEST_FIRST } from '../../../platform/mongo/pages.js';
import type { PlannedReturns } from '../../../outcomes/returns/requestReturn.js';
import type { ReturnDoc } from '../../../outcomes/store/returnDocs.js';
import { AppError } from '../../../lib/errors.js';
import { findByIds } from '../../../platform/mongo/findByIds.js';
import { defineAction, type ActionContext } from '../action.js';
import { readPlace, writeCursor } from '../cursor.js';
import { LEADS } from '../exits.js';
import { requireNamed } from '../leadFilter.js';
import { invalidField } from '../readInput.js';
import { authorOf } from '../saleAuthor.js';
import {
  continueFrom,
  BULK_DEFAULT,
  bulkMax,
  BULK_MAX,
  dry_run,
  continuesFrom,
} from '../schemas/bulk.js';
import { id } from '../schemas/common.js';
import { ReturnReasonName } from '../schemas/returns.js';

const EXAMPLE_LEAD = '2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10';
const EXAMPLE_BUYER = '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7';

const note = z.string().max(2_000).nullable().default(null);

const Row = z.object({
  lead_id: z.string().nullable().describe('The lead; null: there is no such return'),
  return_id: z.string().nullable().describe('The return; null: none was made'),
  result: z
    .enum(['done', 'would_be_done', 'refused', 'not_found', 'failed', 'not_tried'])
    .describe(
      'failed: an error left it unknown; repeating the call is safe. not_tried: the call took too long, or ended at an ' +
        'error',
    ),
  message: z.string().nullable().describe('Why it was not done; null: it was'),
});
type Reported = z.input<typeof Row>;

const Report = z.object({
  done: z.number().int().describe('Done, or would be done'),
  refused: z.number().int().describe('The others'),
  report: z.array(Row).describe('What happened to each, in their order'),
  continue_from: continuesFrom,
});

export const requestReturns = defineAction({
  name: 'request_returns',
  cli: ['returns', 'request-many'],
  summary: 'Request the return of many leads',
  description:
    'Requests the return of many leads for the same reason, each as by request_return, and reports each. A repeated ' +
    'call returns the same requests.',
  idempotent: true,
  permission: 'leads:write',
  input: z.strictObject({
    lead_ids: z
      .array(z.string().min(1).max(100))
      .min(1)
      .max(BULK_MAX)
      .describe(`The leads, 1 to ${BULK_MAX}`),
    buyer_id: id('buyer')
      .optional()
      .describe('The buyer that returns them; required where several buyers bought a lead'),
    reason: ReturnReasonName.describe('Why the buyer does not want them'),
    note: note.describe('A comment of the buyer, up to 2000 characters'),
    dry_run,
  }),
  example: { lead_ids: [EXAMPLE_LEAD], reason: 'bad_contact_info', dry_run: true },
  output: Report,
  async run({ lead_ids, buyer_id, reason, note: comment, dry_run: isDry }, context) {
    const { returns, orgId: org_id, caller } = context;
    await requireNamed({ buyer_id, campaign_id: undefined, supplier_id: undefined }, context);
    const planned: PlannedReturns = new Map();
    const report = await reportEach([...new Set(lead_ids)], context, {
      unread: (lead_id) => ({ lead_id, return_id: null }),
      async handle(lead_id) {
        const asked = { org_id, lead_id, buyer_id, reason, note: comment, by: authorOf(caller) };
        if (!isDry) return done(await returns.request(asked));
        const open = await returns.check(asked, planned);
        if (open) return done(open);
        return { lead_id, return_id: null, result: 'would_be_done', message: null };
      },
    });
    return { ...countsOf(report), report, continue_from: null };
  },
});

export const resolveReturns = defineAction({
  name: 'resolve_returns',
  cli: ['returns', 'resolve-many'],
  summary: 'Accept or reject many returns',
  description:
    'Decides many returns alike, each as by resolve_return, and reports each: those named, or those of a buyer or a ' +
    'campaign that wait for a decision. This cannot be undone.',
  effect: 'destroy',
  reachesOut: true,
  idempotent: true,
  permission: 'leads:write',
  letsOut: [LEADS],
  input: z.strictObject({
    return_ids: z
      .array(z.string().min(1).max(300))
      .min(1)
      .max(BULK_MAX)
      .optional()
      .describe(`These returns, 1 to ${BULK_MAX}`),
    buyer_id: id('buyer').optional().describe('Waiting returns of this buyer'),
    campaign_id: id('campaign').optional().describe('Waiting returns of leads of this campaign'),
    result: z.enum(['accept', 'reject']),
    note: note.describe('The reason, up to 2000 characters'),
    dry_run,
    max: bulkMax,
    continue_from: continueFrom,
  }),
  example: { buyer_id: EXAMPLE_BUYER, result: 'accept', dry_run: true },
  output: Report,
  async run({ result, note: comment, dry_run: isDry, ...target }, context) {
    const { returns, orgId: org_id, caller } = context;
    const { found, next } = await findReturns(target, context);
    const docs = new Map(found.flatMap((one) => (one.doc ? [[one.id, one.doc] as const] : [])));
    const ids = found.map((one) => one.id);
    const report = await reportEach(ids, context, {
      unread: (return_id) => ({ lead_id: docs.get(return_id)?.lead_id ?? null, return_id }),
      async handle(return_id) {
        const doc = docs.get(return_id);
        if (!doc) throw new AppError('not_found', `There is no return ${return_id}.`);
        if (isDry) return dryVerdict(doc, result);
        const by = authorOf(caller);
        return done(await returns.resolve({ org_id, return_id, result, note: comment, by }));
      },
    });
    const at = report.findIndex(({ result: one }) => one === 'failed' || one === 'not_tried');
    const last = at > 0 ? docs.get(ids[at - 1] ?? '') : undefined;
    const left = last && target.return_ids === undefined ? placeOf(last) : next;
    return { ...countsOf(report), report, continue_from: left };
  },
});

const done = ({ _id, lead_id }: ReturnDoc): Reported => ({
  lead_id,
  return_id: _id,
  result: 'done',
  message: null,
});

function dryVerdict(doc: ReturnDoc, result: 'accept' | 'reject'): Reported {
  if (doc.state === 'requested') return { ...done(doc), result: 'would_be_done' };
  if (doc.state === (result === 'accept' ? 'accepted' : 'rejected')) return done(doc);
  const message = `Return ${doc._id} was ${doc.state}; that cannot be changed.`;
  return { ...done(doc), result: 'refused', message };
}

interface Target {
  return_ids?: string[];
  buyer_id?: string;
  campaign_id?: string;
  max?: number;
  continue_from?: string;
}

/** @throws {AppError} `invalid_input` where no return is named, or in two ways */
async function findReturns(
  { return_ids, buyer_id, campaign_id, max, continue_from }: Target,
  context: ActionContext,
): Promise<{ found: { id: string; doc?: ReturnDoc }[]; next: string | null }> {
  const { collections, orgId: org_id } = context;
  const isFiltered = [buyer_id, campaign_id].some((one) => one !== undefined);
  if (return_ids) {
    if (isFiltered || max !== undefined || continue_from !== undefined)
      throw invalidField('return_ids', 'not_allowed', NOT_BOTH);
    const ids = [...new Set(return_ids)];
    const docs = await findByIds(collections.returns, ids);
    const own = (id: string) => {
      const doc = docs.get(id);
      return doc?.org_id === org_id ? doc : undefined;
    };
    return { found: ids.map((one) => ({ id: one, doc: own(one) })), next: null };
  }
  if (!isFiltered) throw invalidField('return_ids', 'required', NONE_NAMED);
  await requireNamed({ buyer_id, campaign_id, supplier_id: undefined }, context);
  const filter = { org_id, state: 'requested' as const, buyer_id, campaign_id };
  const after = readPlace(LIST, continue_from);
  const wanted = { after, limit: max ?? BULK_DEFAULT };
  const page = await findPage(collections.returns, filter, NEWEST_FIRST, wanted);
  const found = page.docs.map((doc) => ({ id: doc._id, doc }));
  return { found, next: page.next && writeCursor(LIST, page.next) };
}

const LIST = 'resolve_returns';
const NOT_BOTH = 'return_ids cannot be combined with buyer_id, campaign_id, max or continue_from.';
const NONE_NAMED = 'return_ids, buyer_id or campaign_id is required: which returns are decided.';

const placeOf = ({ _id, created_at }: ReturnDoc): string =>
  writeCursor(LIST, { at: created_at, id: _id });

const countsOf = (report: readonly Reported[]) => {
  const isDone = ({ result }: Reported) => result === 'done' || result === 'would_be_done';
  const count = report.filter(isDone).length;
  return { done: count, refused: report.length - count };
};

/** No further one is begun after this time, in milliseconds. */
const RUN_MS = 10_000;

interface Each {
  /** What a report says about one that was not handled. */
  unread(id: string): Pick<Reported, 'lead_id' | 'return_id'>;
  handle(id: string): Promise<Reported>;
}

/**
 * One after the other: those of one buyer share the limit of a month.
 * @throws {unknown} what fails before any is done; after that the report says where it failed
 */
async function reportEach(
  ids: readonly string[],
  { clock }: ActionContext,
  each: Each,
): Promise<Reported[]> {
  const until = clock.monotonic() + RUN_MS;
  const report: Reported[] = [];
  let hasFailed = false;
  for (const one of ids) {
    // The first is always tried, so that each call gets on.
    const isOver = report.length > 0 && clock.monotonic() > until;
    if (hasFailed || isOver) {
      const message = hasFailed ? NOT_TRIED_AFTER : NOT_TRIED;
      report.push({ ...each.unread(one), result: 'not_tried', message });
      continue;
    }
    try {
      report.push(await each.handle(one));
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal && !report.some(({ result }) => result === 'done')) throw error;
      hasFailed = !refusal;
      report.push({ ...each.unread(one), ...(refusal ?? FAILED) });
    }
  }
  return report;
}

const NOT_TRIED = 'Call again with those that are left.';
const NOT_TRIED_AFTER =
  'The call ended at an error before it. Call again with those that are left.';
const FAILED = {
  result: 'failed',
  message: 'An error occurred, and it is not known whether it was done: repeat the call.',
} as const;

/** Null for what is no refusal. */
function refusalOf(error: unknown): Pick<Reported, 'result' | 'message'> | null {
  if (!(error instanceof AppError)) return null;
  const { code, message } = error;
  if (code === 'not_found') return { result: code, message };
  return code === 'action_refused' ? { result: 'refused', message } : null;
}
