/** The names of the processes of a benchmark. Several processes may share one. */

/** Roles of the service, in either shape. */
export const SERVICE_NAMES = ['intake', 'api', 'worker', 'delivery'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** `buyers` accepts leads; `load` is the process that runs the benchmark and sends the requests. */
export const PROCESS_NAMES = [...SERVICE_NAMES, 'mongod', 'temporal', 'buyers', 'load'] as const;
export type ProcessName = (typeof PROCESS_NAMES)[number];
