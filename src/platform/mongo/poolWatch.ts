/** Follows the pool of connections by the events of the driver: a few additions for each command. */
import type { MongoClient } from 'mongodb';

/** What is counted; the pools of all servers together. */
export interface PoolCounts {
  connections: number;
  checkedOut: number;
  waiting: number;
  /** Since the start, as `waitedMs`. */
  failures: number;
  waitedMs: number;
}

/** Before the client connects. */
export function watchPool(client: MongoClient, counts: PoolCounts): void {
  client.on('connectionCreated', () => (counts.connections += 1));
  client.on('connectionClosed', () => (counts.connections -= 1));
  client.on('connectionCheckOutStarted', () => (counts.waiting += 1));
  client.on('connectionCheckedOut', ({ durationMS }) => {
    counts.waiting -= 1;
    counts.checkedOut += 1;
    counts.waitedMs += durationMS;
  });
  client.on('connectionCheckOutFailed', ({ durationMS }) => {
    counts.waiting -= 1;
    counts.failures += 1;
    counts.waitedMs += durationMS;
  });
  client.on('connectionCheckedIn', () => (counts.checkedOut -= 1));
}
