import type { Channel } from './channel.js';

/** The lead stays here and is the buyer's at once. */
export const acceptWithoutSending: Channel<'STORE'> = () =>
  Promise.resolve({ verdict: { result: 'accepted', reason: 'kept_here' } });
