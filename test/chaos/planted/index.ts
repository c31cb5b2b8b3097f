/** Every planted bug, by the name under which `--planted` knows it. */
import { capReadThenWrite } from './capReadThenWrite.js';
import { claimsSideBySide } from './claimsSideBySide.js';
import { expiredLeaseIgnored } from './expiredLeaseIgnored.js';
import { newKeyPerTry } from './newKeyPerTry.js';
import { noAttemptOrdinal } from './noAttemptOrdinal.js';
import { noWithdrawing } from './noWithdrawing.js';
import type { PlantedBug } from './plantedBug.js';
import { releaseBeforeCommit } from './releaseBeforeCommit.js';
import { wakeFromMemory } from './wakeFromMemory.js';
import { weakWriteConcern } from './weakWriteConcern.js';

export const plantedBugs: Readonly<Record<string, PlantedBug>> = {
  weak_write_concern: weakWriteConcern,
  no_attempt_ordinal: noAttemptOrdinal,
  release_before_commit: releaseBeforeCommit,
  new_key_per_try: newKeyPerTry,
  cap_read_then_write: capReadThenWrite,
  claims_side_by_side: claimsSideBySide,
  no_withdrawing: noWithdrawing,
  wake_from_memory: wakeFromMemory,
  expired_lease_ignored: expiredLeaseIgnored,
};
