/** The names of the processes of a benchmark, which several may share, and the roles of the service. */

/** The service's processes, by role; `service` is the one process of the role `all`. */
export const SERVICE_NAMES = ['service', 'intake', 'api', 'worker', 'delivery'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** `buyers` accepts leads; `load` is the process that runs the benchmark and sends the requests. */
export const PROCESS_NAMES = [...SERVICE_NAMES, 'mongod', 'temporal', 'buyers', 'load'] as const;
export type ProcessName = (typeof PROCESS_NAMES)[number];

/** The service's processes in the order in which they start: an API without a worker is not ready. */
export const ROLES_OF = {
  one: ['all'],
  together: ['delivery', 'intake'],
  apart: ['delivery', 'worker', 'api'],
} as const;

/**
 * `one` process does everything; `together`: one serves requests and decides leads, another delivers; `apart`: a
 * process for each.
 */
export type RolesShape = keyof typeof ROLES_OF;

export const isRolesShape = (text: string): text is RolesShape => Object.hasOwn(ROLES_OF, text);

/** What `leadwire up` runs where two processors are left for everything. */
export const DEFAULT_ROLES: RolesShape = 'one';
