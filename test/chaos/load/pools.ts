/** Connections to all processes that answer requests. */
import { Pool } from 'undici';

export interface Pools {
  /** The processes in turn. */
  next(): Pool;
  /** Breaks off what is open. */
  destroy(): Promise<void>;
}

/**
 * @param connections with all of them together
 * @throws {Error} where there is no process
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
