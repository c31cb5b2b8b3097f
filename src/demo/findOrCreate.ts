/** Making what is not there yet. */

/** When another process creates it at the same moment, its record is the one. */
export async function findOrCreate<T>(
  find: () => Promise<T | null>,
  create: () => Promise<T>,
): Promise<T> {
  const found = await find();
  if (found) return found;
  try {
    return await create();
  } catch (error) {
    const made = await find();
    if (made) return made;
    throw error;
  }
}

export async function eachKey<K extends string, T>(
  from: Record<K, unknown>,
  make: (key: K) => Promise<T>,
): Promise<Record<K, T>> {
  const entries: [K, T][] = [];
  for (const key of Object.keys(from) as K[]) entries.push([key, await make(key)]);
  return Object.fromEntries(entries) as Record<K, T>;
}
