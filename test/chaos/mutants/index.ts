/** Every mutant, by the name under which `--planted` knows it. */
import { bookedPriceIgnored } from './bookedPriceIgnored.js';
import { capReadThenWrite } from './capReadThenWrite.js';
import { claimsSideBySide } from './claimsSideBySide.js';
import { closedIsSent } from './closedIsSent.js';
import { expiredLeaseIgnored } from './expiredLeaseIgnored.js';
import { failedInsertIgnored } from './failedInsertIgnored.js';
import { furtherCountsAgain } from './furtherCountsAgain.js';
import { keyFreedUnderPromise } from './keyFreedUnderPromise.js';
import { lateInsertKept } from './lateInsertKept.js';
import { looksWearAway } from './looksWearAway.js';
import { newKeyPerTry } from './newKeyPerTry.js';
import { noAttemptOrdinal } from './noAttemptOrdinal.js';
import { noWithdrawing } from './noWithdrawing.js';
import { oneDayForAll } from './oneDayForAll.js';
import { modeNotAskedAgain } from './modeNotAskedAgain.js';
import type { Mutant } from './mutant.js';
import { promisedElsewhere } from './promisedElsewhere.js';
import { releaseBeforeCommit } from './releaseBeforeCommit.js';
import { soldPastMaxSells } from './soldPastMaxSells.js';
import { takenFromMemory } from './takenFromMemory.js';
import { toldBeforeStored } from './toldBeforeStored.js';
import { turnWithoutCompare } from './turnWithoutCompare.js';
import { wakeFromMemory } from './wakeFromMemory.js';
import { weakWriteConcern } from './weakWriteConcern.js';

export const mutants: Readonly<Record<string, Mutant>> = {
  weak_write_concern: weakWriteConcern,
  no_attempt_ordinal: noAttemptOrdinal,
  release_before_commit: releaseBeforeCommit,
  new_key_per_try: newKeyPerTry,
  cap_read_then_write: capReadThenWrite,
  claims_side_by_side: claimsSideBySide,
  no_withdrawing: noWithdrawing,
  key_freed_under_promise: keyFreedUnderPromise,
  wake_from_memory: wakeFromMemory,
  expired_lease_ignored: expiredLeaseIgnored,
  turn_without_compare: turnWithoutCompare,
  sold_past_max_sells: soldPastMaxSells,
  further_counts_again: furtherCountsAgain,
  booked_price_ignored: bookedPriceIgnored,
  closed_is_sent: closedIsSent,
  looks_wear_away: looksWearAway,
  one_day_for_all: oneDayForAll,
  told_before_stored: toldBeforeStored,
  failed_insert_ignored: failedInsertIgnored,
  late_insert_kept: lateInsertKept,
  taken_from_memory: takenFromMemory,
  promised_elsewhere: promisedElsewhere,
  mode_not_asked_again: modeNotAskedAgain,
};
