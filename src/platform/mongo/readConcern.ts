import { ReadConcernLevel } from 'mongodb';

/**
 * Reads only data that no failover can roll back. For answers to clients, and for decisions of a run: a state that the
 * majority has not confirmed may vanish. A process that has just written with this service's write concern sees its own
 * write.
 */
export const DURABLE = { readConcern: { level: ReadConcernLevel.majority } };
