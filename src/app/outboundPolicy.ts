import type { Config } from './config.js';
import type { OutboundPolicy } from '../account/buyers/delivery.js';

/** What deliveries may do, by the settings of this installation. */
export const outboundPolicy = (config: Config): OutboundPolicy => ({
  allowPrivate: config.outboundAllowPrivate,
  mail: config.smtp !== null,
  sheets: config.google.serviceAccountJson !== undefined,
});
