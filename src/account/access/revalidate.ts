/** Requests are admitted on the account as a process remembers it, and looked at again when it has changed since. */
import { requireSupplier } from './requireSupplier.js';
import type { AccountCache, SupplierAccess } from './accountCache.js';

/** A request that was admitted. */
export interface Admittable<A> {
  admitted: A;
  access: SupplierAccess;
  keyHash: string;
  body: Record<string, unknown>;
}

interface RevalidateDeps<A> {
  accountCache: AccountCache;
  /** With `before`, what the same request was admitted as: it stays that lead, as the account is now. */
  admit: (access: SupplierAccess, body: Record<string, unknown>, before?: A) => Promise<A>;
}

/**
 * One read tells whether the account has changed; only then are requests looked at again.
 * @returns those that stand, as they stand now
 */
export async function revalidate<A extends { version: number }, T extends Admittable<A>>(
  items: readonly T[],
  refuse: (item: T, reason: unknown) => unknown,
  { accountCache, admit }: RevalidateDeps<A>,
): Promise<T[]> {
  const versions = await accountCache.refresh([
    ...new Set(items.map(({ access }) => access.org_id)),
  ]);
  const current: T[] = [];
  for (const item of items) {
    const version = versions.get(item.access.org_id);
    if (item.access.version === version && item.admitted.version === version) {
      current.push(item);
      continue;
    }
    try {
      item.access = await requireSupplier(item.keyHash, accountCache);
      item.admitted = await admit(item.access, item.body, item.admitted);
      current.push(item);
    } catch (error) {
      refuse(item, error);
    }
  }
  return current;
}

/** A refusal is only given on the account as it is now: what a process remembers may be old. */
export async function admitAsOfNow<A>(
  keyHash: string,
  access: SupplierAccess,
  body: Record<string, unknown>,
  { admit, accountCache }: RevalidateDeps<A>,
): Promise<A> {
  try {
    return await admit(access, body);
  } catch {
    await accountCache.refresh([access.org_id]);
    return admit(await requireSupplier(keyHash, accountCache), body);
  }
}
