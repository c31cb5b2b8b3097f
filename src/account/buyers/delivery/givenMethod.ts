/** A `url` without a `method` means WEBHOOK, whichever method was stored. This file alone applies that rule. */
import { withoutKeys } from '../../../lib/defined.js';
import type { DeliveryInput } from '../deliverySchema.js';

/** The method that an input names or implies; undefined: neither. */
export function givenMethod({
  method,
  url,
}: Pick<DeliveryInput, 'method' | 'url'>): string | undefined {
  if (method != null) return method;
  return url == null ? undefined : 'WEBHOOK';
}

/** The input with the method that it implies, and otherwise as it is. */
export function withGivenMethod(input: DeliveryInput): DeliveryInput {
  if (input.method != null || givenMethod(input) === undefined) return input;
  return { method: 'WEBHOOK', ...withoutKeys(input, ['method']) };
}
