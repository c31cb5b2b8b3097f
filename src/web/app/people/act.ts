import type { Write } from '../lib/useCalls.js';

/** A call that changes a person of a list. Its role is one of those that the page offers. */
export type Act<I, O> = Pick<Write<I, O>, 'run' | 'isRunning' | 'error' | 'reset'>;

export type Invite = Act<{ email: string; role: string }, { invite_url: string | null }>;

/** The role of a partner's person that was chosen. */
export const partnerRole = (role: string): 'admin' | 'viewer' =>
  role === 'admin' ? 'admin' : 'viewer';
