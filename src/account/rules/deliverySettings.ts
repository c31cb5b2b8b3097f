/** How a buyer receives its leads, by method (contract 6.1), as it is stored. */
import type { z } from 'zod';
import type { METHODS } from '../buyers/deliverySchema.js';
import type { SealedValue } from '../../platform/security/sealedValue.js';

/** Settings stored by an earlier release lack later additions; their defaults apply. */
type Lacking<T, Later extends keyof T> = Omit<T, Later> & Partial<Pick<T, Later>>;
type Stored<T extends { max_per_second: unknown }> = Lacking<T, 'max_per_second'>;

/** By name. A value is stored sealed; an earlier release stored it as plain text. */
export type StoredHeaders = Record<string, string | SealedValue>;

/** By method, as the schemas read them. */
type ReadSettings = { [M in keyof typeof METHODS]: Stored<z.output<(typeof METHODS)[M]>> };

type StoredWebhook = Lacking<ReadSettings['WEBHOOK'], 'format' | 'template' | 'response'>;

/** Methods whose settings are stored in another form than they are parsed. */
interface DeliveryMethods extends Omit<ReadSettings, 'WEBHOOK' | 'EMAIL'> {
  WEBHOOK: Omit<StoredWebhook, 'headers'> & { headers: StoredHeaders };
  EMAIL: ReadSettings['EMAIL'] & {
    /** Its recipients must have confirmed; absent from settings older than confirmation, which count as confirmed. */
    checked?: true;
  };
}

export type DeliveryMethod = keyof DeliveryMethods;

/** The settings of one method, or of any. */
export type DeliverySettings<M extends DeliveryMethod = DeliveryMethod> = DeliveryMethods[M];

/** What every method has. */
export type CommonDelivery = Omit<DeliverySettings<'STORE'>, 'method'>;

/** How a request that was sent and never answered is handled. */
export type UnknownPolicy = CommonDelivery['on_unknown'];

/**
 * Stored delivery settings by which a campaign overrides those of the buyer.
 * `method` is present whenever one of them is not common to all methods.
 */
export interface DeliveryOverrides {
  method?: DeliveryMethod;
  headers?: StoredHeaders;
  [setting: string]: unknown;
}
