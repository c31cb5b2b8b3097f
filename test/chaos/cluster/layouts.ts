/** How the roles of the service are spread over processes in a run. */
import type { Role } from '../../../src/app/role.js';

/** `together`: one process answers requests and decides leads. `apart`: each role has processes of its own. */
export const LAYOUT_NAMES = ['together', 'apart'] as const;
export type LayoutName = (typeof LAYOUT_NAMES)[number];

export const PROCESS_NAMES = [
  'intake-1',
  'intake-2',
  'api',
  'worker-1',
  'worker-2',
  'delivery',
] as const;
export type ProcessName = (typeof PROCESS_NAMES)[number];

export interface Layout {
  roles: readonly (readonly [name: ProcessName, role: Role])[];
  /** Processes that answer requests, each on a port of its own. */
  serving: readonly ProcessName[];
  /** Processes that decide leads. */
  deciding: readonly ProcessName[];
}

export const LAYOUTS: Readonly<Record<LayoutName, Layout>> = {
  // Two of them: what one has begun and does not finish, the other resumes.
  together: {
    roles: [
      ['intake-1', 'intake'],
      ['intake-2', 'intake'],
      ['delivery', 'delivery'],
    ],
    serving: ['intake-1', 'intake-2'],
    deciding: ['intake-1', 'intake-2'],
  },
  apart: {
    roles: [
      ['api', 'api'],
      ['worker-1', 'worker'],
      ['worker-2', 'worker'],
      ['delivery', 'delivery'],
    ],
    serving: ['api'],
    deciding: ['worker-1', 'worker-2'],
  },
};
