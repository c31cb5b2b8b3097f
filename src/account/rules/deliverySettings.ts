/** How a buyer takes its leads, by method (contract 6.1), as it is stored. */
import type { z } from 'zod';
import type { METHODS } from '../buyers/deliverySchema.js';
import type { SealedValue } from '../../platform/security/sealedValue.js';

/** Settings that an earlier release stored lack what came later; then its default holds. */
type Lacking<T, Later extends keyof T> = Omit<T, Later> & Partial<Pick<T, Later>>;
type Stored<T extends { max_per_second: unknown }> = Lacking<T, 'max_per_second'>;

/** By their names. A value rests sealed; as plain text where an earlier release stored it. */
export type StoredHeaders = Record<string, string | SealedValue>;

/** By method, as the schemas read them. */
type ReadSettings = { [M in keyof typeof METHODS]: Stored<z.output<(typeof METHODS)[M]>> };

type StoredWebhook = Lacking<ReadSettings['WEBHOOK'], 'format' | 'template' | 'response'>;

/** Methods whose settings are stored in another form than they are read. */
interface DeliveryMethods extends Omit<ReadSettings, 'WEBHOOK' | 'EMAIL'> {
  WEBHOOK: Omit<StoredWebhook, 'headers'> & { headers: StoredHeaders };
  EMAIL: ReadSettings['EMAIL'] & {
    /** Its recipients must have confirmed; absent of those from before they were asked, which count as confirmed. */
    checked?: true;
  };
}

export type DeliveryMethod = keyof DeliveryMethods;

/** The settings of one method, or of any. */
export type DeliverySettings<M extends DeliveryMethod = DeliveryMethod> = DeliveryMethods[M];

/** What every method has. */
export type CommonDelivery = Omit<DeliverySettings<'STORE'>, 'method'>;

/** What becomes of a request that was sent and never answered. */
export type UnknownPolicy = CommonDelivery['on_unknown'];

/**
 * Settings that a campaign has in the place of the buyer's own, as they are stored; the others are the buyer's.
 * `method` is there whenever one of them belongs to a method and not to all.
 */
export interface DeliveryOverrides {
  method?: DeliveryMethod;
  headers?: StoredHeaders;
  [setting: string]: unknown;
}
