/** The caller of a request, by its credential: checked before any of its body is read. */
import { hashKey, isWellFormedKey } from '../platform/security/keys.js';
import type { Clock } from '../lib/clock.js';
import type { CallerId } from '../platform/security/witness.js';
import { orUnavailable } from '../platform/mongo/databaseErrors.js';
import { requireSupplier, unauthorized, requireBuyer } from '../account/access/requirePartner.js';
import type { AccountCache } from '../account/access/accountCache.js';
import type { KeyUses } from '../account/keys/keyUses.js';
import { withTimeout } from '../lib/withTimeout.js';

export interface KnownCaller {
  caller: CallerId;
  /**
   * Checks again on the current account: what a process has cached may be old.
   * @throws {AppError} `unauthorized`, `unavailable`
   */
  confirm(): Promise<void>;
}

const BUSY = 'The service cannot check the key now; nothing was accepted. Send the request again.';

export type Callers = ReturnType<typeof createCallers>;

interface CallersDeps {
  accountCache: AccountCache;
  clock: Clock;
  keyUses: Pick<KeyUses, 'used'>;
}

export function createCallers(deps: CallersDeps) {
  const { accountCache, keyUses } = deps;
  const identify = async (
    withinMs: number,
    find: () => Promise<CallerId>,
  ): Promise<KnownCaller> => {
    const caller = await guarded(withinMs, find);
    const confirm = async (): Promise<void> => {
      await guarded(withinMs, () => accountCache.refreshShared(caller.org_id).then(find));
    };
    return { caller, confirm };
  };
  return {
    /**
     * The supplier of this `x-api-key`, as this process caches it; it waits for MongoDB for at most `withinMs`.
     * @throws {AppError} `unauthorized`, `unavailable`
     */
    supplier(key: string | undefined, withinMs: number): Promise<KnownCaller> {
      if (key === undefined || !isWellFormedKey(key)) return Promise.reject(unauthorized());
      const keyHash = hashKey(key);
      return identify(withinMs, async () => {
        const { org_id, supplier_id } = await requireSupplier(keyHash, accountCache);
        keyUses.used(keyHash);
        return { actor: 'supplier', org_id, id: supplier_id };
      });
    },
    /** The same for an `X-Buyer-Secret`. */
    buyer: (secret: string | undefined, withinMs: number): Promise<KnownCaller> =>
      identify(withinMs, async () => {
        const { org_id, buyer_id } = await requireBuyer(secret, deps);
        return { actor: 'buyer', org_id, id: buyer_id };
      }),
  };
}

const guarded = <T>(withinMs: number, work: () => Promise<T>): Promise<T> =>
  withTimeout(withinMs, BUSY, work).catch(orUnavailable(BUSY));
