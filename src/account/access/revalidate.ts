/** Requests are admitted on the account as a process caches it, and checked again when it has changed since. */
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
  /** `before`: what the same request was admitted as. It stays that lead, checked against the account as it is now. */
  admit: (access: SupplierAccess, body: Record<string, unknown>, before?: A) => Promise<A>;
}

/**
 * One read shows whether the account has changed; only then are requests checked again.
 * @returns the requests that are still admitted, each as it is admitted now
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

/** A refusal is given only on the current account: what a process has cached may be old. */
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
