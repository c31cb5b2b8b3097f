import type { DeliveryMethod, DeliverySettings } from '../../rules/deliverySettings.js';
import type { SettingReader } from './reader.js';

/** What deliveries may do in this installation. */
export interface OutboundPolicy {
  /** Addresses of this machine and of private networks may be saved. */
  allowPrivate: boolean;
  /** There is a mail server to send by. */
  mail?: boolean;
  /** There is a service account to write into sheets by. */
  sheets?: boolean;
}

export interface MethodContext {
  policy: OutboundPolicy;
  /** Fields that a template or column may name. */
  fieldNames: readonly string[];
}

/** How the settings of one method are read. */
export interface MethodReader<M extends DeliveryMethod> {
  /** Every setting that the method has. */
  keys: readonly string[];
  read: (read: SettingReader, context: MethodContext) => DeliverySettings<M>;
}
