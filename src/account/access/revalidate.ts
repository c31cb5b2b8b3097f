/** Requests are admitted on the account as a process caches it, and checked again when it has changed since. */
import { requireSupplier } from './requirePartner.js';
import type { AccountCache, SupplierAccess } from './accountCache.js';

/** A request that was admitted. */
export interface Admittable<A> {
  admitted: A;
  access: SupplierAccess;
  /** The account was read after the request had begun: the next check needs no other read. */
  isCurrent?: boolean;
  keyHash: string;
  body: Record<string, unknown>;
}

const NONE_READ: ReadonlyMap<string, number> = new Map();

interface RevalidateDeps<A> {
  accountCache: AccountCache;
  /** `before`: the earlier result for this request, which keeps its lead and is checked against the current account. */
  admit: (access: SupplierAccess, body: Record<string, unknown>, before?: A) => Promise<A>;
}

/**
 * One read shows whether the account has changed; only then are requests checked again. A change holds for requests that
 * begin after it (contract 1.2.7), so no read is needed for requests whose account was read after they had begun.
 * @returns the requests that are still admitted, each with its current result
 */
export async function revalidate<A extends { version: number }, T extends Admittable<A>>(
  items: readonly T[],
  refuse: (item: T, reason: unknown) => unknown,
  { accountCache, admit }: RevalidateDeps<A>,
): Promise<T[]> {
  const unsure = new Set(
    items.filter(({ isCurrent }) => !isCurrent).map(({ access }) => access.org_id),
  );
  const versions = unsure.size > 0 ? await accountCache.refresh([...unsure]) : NONE_READ;
  const current: T[] = [];
  for (const item of items) {
    const version = versions.get(item.access.org_id) ?? item.access.version;
    // A request that is submitted again, after waiting for another one, is checked again.
    item.isCurrent = false;
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
