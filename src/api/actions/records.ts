/** The records of an organization, as lists show them. */
import type { Caller } from '../calls/caller.js';

/** Those of the caller's organization; of one status where it is named. */
export const ownedBy = <S>({ org_id }: Caller, status: S | undefined) => ({ org_id, status });
