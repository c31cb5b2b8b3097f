/** Every way to deliver: a new method is one file and one line here. */
import type { DeliveryMethod } from '../../account/rules/deliverySettings.js';
import type { Channel, ChannelDeps, ChannelReply, Outgoing } from './channel.js';
import { sendEmail } from './email.js';
import { sendToSheet } from './googleSheet.js';
import { sendWebhook } from './webhook.js';

const CHANNELS: { [M in DeliveryMethod]: Channel<M> } = {
  WEBHOOK: sendWebhook,
  EMAIL: sendEmail,
  GOOGLE_SHEET: sendToSheet,
  // Sends nothing: the buyer has accepted the lead at once.
  STORE: () => Promise.resolve({ verdict: { result: 'accepted', reason: 'kept_here' } }),
};

/** Delivers a lead by the buyer's own method. */
export function deliver(outgoing: Outgoing, deps: ChannelDeps): Promise<ChannelReply> {
  const settings = outgoing.terms.delivery;
  // The table gives each method the channel of its own settings, which the compiler cannot follow.
  const channel = CHANNELS[settings.method] as Channel<DeliveryMethod>;
  return channel(outgoing, settings, deps);
}
