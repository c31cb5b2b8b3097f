import type { z } from 'zod';
import type { Problem } from '../../../lib/schema/zodIssues.js';
import type { METHODS } from '../deliverySchema.js';
import type { DeliveryMethod, DeliverySettings } from '../../rules/deliverySettings.js';
import { HIDDEN_HEADER as HIDDEN } from './headers.js';
import { checkOutboundUrl } from '../../../platform/outbound/http.js';

/** What deliveries may do in this installation. */
export interface OutboundPolicy {
  /** Addresses of this machine and of private networks may be saved. */
  allowPrivate: boolean;
  /** A mail server is configured. */
  mail?: boolean;
  /** A service account that writes into spreadsheets is configured. */
  sheets?: boolean;
}

export interface MethodContext {
  policy: OutboundPolicy;
  /** Fields that a template or column may name. */
  fieldNames: readonly string[];
}

type Parsed<M extends DeliveryMethod> = z.output<(typeof METHODS)[M]>;

/**
 * The rules of a method that its schema cannot check: those of this account and installation.
 * @param parsed the settings that are valid by themselves
 * @returns the settings that replace some of them, and every problem
 */
export type MethodRules<M extends DeliveryMethod> = (
  parsed: Partial<Parsed<M>>,
  context: MethodContext,
  sources: SettingSources,
) => { settled: Partial<DeliverySettings<M>>; problems: Problem[] };

/** Where settings come from. */
export interface SettingSources {
  /** What was given, over what is stored. */
  laid: Record<string, unknown>;
  /** What is stored, of the same kind. */
  current: Record<string, unknown> | undefined;
}

const NOT_WHOLE = `holds ${HIDDEN} where a part of an address is not shown; give the whole address`;

/**
 * Problems of an address that this service calls; none where the schema has refused it already.
 * @param stored the address until now
 */
export function urlProblems(
  url: string | undefined,
  policy: OutboundPolicy,
  stored: unknown,
): Problem[] {
  if (url === undefined) return [];
  const isShown = url !== stored && url.includes(HIDDEN);
  const rule = isShown ? NOT_WHOLE : checkOutboundUrl(url, policy);
  return rule === null ? [] : [{ path: ['url'], code: 'not_allowed', rule }];
}
