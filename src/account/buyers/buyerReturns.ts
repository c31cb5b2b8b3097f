/** Which leads a buyer may give back, as a person sets it up. */
import { DEFAULT_RETURNS, type ReturnSettings } from '../rules/returnSettings.js';
import type { AccountCollections } from '../store/collections.js';
import type { BuyerDoc } from '../store/accountDocs.js';
import { findBuyer } from './buyers.js';
import { settingReader, type SettingReader } from './delivery/reader.js';

/** Null takes a setting back to its default. */
export type BuyerReturnsInput = {
  [K in keyof ReturnSettings]?: ReturnSettings[K] | null | undefined;
};

const DAYS_MOST = 365;
const HOURS_MOST = 720;
const COUNT_MOST = 1_000_000;

/**
 * Sets what is given and leaves the rest. It holds for requests from now on, and for the acceptance of earlier ones.
 * @throws {AppError} `not_found`, or `validation_failed` naming every setting that is not valid
 */
export async function setBuyerReturns(
  collections: AccountCollections,
  orgId: string,
  buyerId: string,
  input: BuyerReturnsInput,
): Promise<BuyerDoc> {
  const current = await findBuyer(collections, orgId, buyerId);
  const returns = checkBuyerReturns(input, current.returns);
  await collections.buyers.updateOne({ _id: buyerId, org_id: orgId }, { $set: { returns } });
  return { ...current, returns };
}

/** Complete settings from what was given, over `current` where there are any. */
export function checkBuyerReturns(
  input: BuyerReturnsInput,
  current: ReturnSettings | undefined,
): ReturnSettings {
  const read = settingReader('returns', input, current);
  const returns: ReturnSettings = {
    allowed: read.flag('allowed', DEFAULT_RETURNS.allowed),
    max_age_days: whole(read, 'max_age_days', 1, DAYS_MOST),
    max_share_pct: readPercent(read, 'max_share_pct'),
    max_per_month: whole(read, 'max_per_month', 0, COUNT_MOST),
    auto_accept_hours: whole(read, 'auto_accept_hours', 0, HOURS_MOST),
    reverse_cost: read.flag('reverse_cost', DEFAULT_RETURNS.reverse_cost),
    resell: read.flag('resell', DEFAULT_RETURNS.resell),
  };
  read.finish();
  return returns;
}

const whole = (read: SettingReader, key: string, min: number, max: number): number | null =>
  read.given(key) === undefined ? null : read.integer(key, min, min, max);

function readPercent(read: SettingReader, key: string): number | null {
  const given = read.given(key);
  if (given === undefined) return null;
  const isPercent = typeof given === 'number' && given >= 0 && given <= 100;
  if (isPercent && Math.round(given * 100) / 100 === given) return given;
  read.problem(key, 'out_of_range', 'must be a percentage, 0 to 100, with at most 2 decimals.');
  return null;
}

/** The settings as they are shown: null where nobody has said. */
export const buyerReturnsView = ({ returns }: BuyerDoc): ReturnSettings | null =>
  returns ? { ...returns } : null;
