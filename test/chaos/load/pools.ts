/** Connections to all processes that answer requests. */
import { Pool } from 'undici';

export interface Pools {
  /** The next process in turn. */
  next(): Pool;
  /** Closes all open connections. */
  destroy(): Promise<void>;
}

/**
 * @param connections to all processes together
 * @throws {Error} when there is no process
 */
export function openPools(
  urls: readonly string[],
  { connections, ...options }: Pool.Options & { connections: number },
): Pools {
  const each = { ...options, connections: Math.ceil(connections / urls.length) };
  const pools = urls.map((url) => new Pool(url, each));
  let turns = 0;
  return {
    next() {
      const pool = pools[turns++ % pools.length];
      if (!pool) throw new Error('There is no process that answers requests');
      return pool;
    },
    async destroy() {
      await Promise.all(pools.map((pool) => pool.destroy()));
    },
  };
}
