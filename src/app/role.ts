/**
 * What a process does. `intake` serves requests and decides leads in one process; `api` and `worker` do it apart.
 * `delivery` drains queues and repairs; `all` is everything.
 */
export const ROLES = ['all', 'intake', 'api', 'worker', 'delivery'] as const;

export type Role = (typeof ROLES)[number];

export const hasApi = (role: Role): boolean => ['all', 'intake', 'api'].includes(role);
export const hasLeadsWorker = (role: Role): boolean => ['all', 'intake', 'worker'].includes(role);
export const hasDeliveryWorker = (role: Role): boolean => ['all', 'delivery'].includes(role);
