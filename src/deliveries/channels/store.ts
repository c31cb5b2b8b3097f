import type { Channel } from './channel.js';

/** Sends nothing: the buyer has accepted the lead at once. */
export const acceptWithoutSending: Channel<'STORE'> = () =>
  Promise.resolve({ verdict: { result: 'accepted', reason: 'kept_here' } });
