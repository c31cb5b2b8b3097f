/** What others have changed of the values that a refused change gives. */
import { AppError, type InputFault } from '../../lib/errors.js';
import { getOwn } from '../../lib/getOwn.js';
import type { AccountContext } from '../context.js';
import { planId, type Plan } from '../rules/plan.js';
import { plain, sameShape, type Shape } from '../rules/planShape.js';
import { BUYER_LINK } from '../settings/buyerLinkTerms.js';
import { SUPPLIER_LINK } from '../settings/supplierLinkTerms.js';
import { unpackPlan } from '../store/planPacking.js';
import type { BuyerLinkInput } from './buyerLinks.js';
import type { SupplierLinkInput } from './supplierLinks.js';

/** Terms of buyers and suppliers; what is not given stays as it is. */
export interface LinkChanges {
  buyers?: readonly (Omit<BuyerLinkInput, 'delivery'> & { buyer_id: string })[];
  suppliers?: readonly (SupplierLinkInput & { supplier_id: string })[];
}

/**
 * The refusal of a change that was made from an earlier version. Its details name each given value that is not what it
 * was in that version; a change of other values is refused too, without details.
 * @returns null where either version is not kept
 */
export async function changedMeanwhile(
  { collections: { campaigns, plans } }: Pick<AccountContext, 'collections'>,
  campaignId: string,
  changes: LinkChanges,
  expected: number,
): Promise<AppError | null> {
  const campaign = await campaigns.findOne(
    { _id: campaignId },
    { projection: { plan_version: 1 } },
  );
  const version = campaign?.plan_version ?? 0;
  const ids = [planId(campaignId, expected), planId(campaignId, version)];
  const found = await plans.find({ _id: { $in: ids } }).toArray();
  const [before, now] = ids.map((id) => found.find(({ _id }) => _id === id));
  if (!before || !now) return null;
  const details = differences(changes, unpackPlan(before), unpackPlan(now));
  const fact = `The campaign has version ${version}, not ${expected}: it has since been changed.`;
  const messages = details.slice(0, MESSAGES_MAX).map((one) => one.message);
  return new AppError('version_conflict', [fact, ...messages, 'Read it again.'].join(' '), {
    details,
  });
}

/** In the sentence; the details have all of them. */
const MESSAGES_MAX = 5;

function differences(
  { buyers = [], suppliers = [] }: LinkChanges,
  before: Plan,
  now: Plan,
): InputFault[] {
  const buyerIn = ({ buyers: all }: Plan, id: string): Shown => {
    const terms = all.find(({ buyer_id }) => buyer_id === id);
    return terms && { ...BUYER_LINK.show(terms), status: terms.link_status ?? terms.status };
  };
  const supplierIn = ({ suppliers: all }: Plan, id: string): Shown => {
    const terms = getOwn(all, id);
    return terms && { ...SUPPLIER_LINK.show(terms), status: terms.link_status ?? terms.status };
  };
  return [
    ...buyers.flatMap(({ buyer_id, ...terms }, n) =>
      changedOf(`buyers.${n}`, terms, [buyerIn(before, buyer_id), buyerIn(now, buyer_id)]),
    ),
    ...suppliers.flatMap(({ supplier_id, ...terms }, n) =>
      changedOf(`suppliers.${n}`, terms, [
        supplierIn(before, supplier_id),
        supplierIn(now, supplier_id),
      ]),
    ),
  ];
}

/** Terms as callers see them; undefined: no such link. */
type Shown = Record<string, unknown> | undefined;

/** One message must not hold a hundred thousand zip codes. */
const SHOWN_MAX = 100;

const changedOf = (
  at: string,
  given: object,
  [before, now]: readonly [Shown, Shown],
): InputFault[] =>
  Object.keys(given).flatMap((key): InputFault[] => {
    const [from, to] = [before, now].map((terms) => (getOwn(terms, key) ?? null) as Shape);
    if (sameShape(from, to)) return [];
    const path = `${at}.${key}`;
    const message = `${path} was changed from ${text(from)} to ${text(to)}.`;
    return [{ path, code: 'mismatch', message }];
  });

const text = (value: Shape): string => JSON.stringify(plain(value)).slice(0, SHOWN_MAX);
