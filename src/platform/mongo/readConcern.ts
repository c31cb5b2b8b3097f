import { ReadConcernLevel } from 'mongodb';

/**
 * Reads only what no failover takes back. For what somebody is told, or what a run goes by: a state that the majority has
 * not confirmed may never have been. A process that has just written with the write concern of this service sees its own write.
 */
export const DURABLE = { readConcern: { level: ReadConcernLevel.majority } };
