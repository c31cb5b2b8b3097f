import type { AppError } from '../lib/errors.js';

/** The refusal of a lead, with every field or rule that caused it. */
export function describeRefusal({ message, extras }: AppError): string {
  const faults = [...(extras.field_errors ?? []), ...(extras.filter_errors ?? [])];
  const sentence = message.replace(/\.$/, '');
  return faults.length === 0
    ? `${sentence}.`
    : `${sentence}: ${faults.map((fault) => fault.message).join('; ')}.`;
}
