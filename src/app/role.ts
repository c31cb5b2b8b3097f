export const ROLES = ['all', 'api', 'worker', 'delivery'] as const;

export type Role = (typeof ROLES)[number];
