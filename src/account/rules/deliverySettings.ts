/** How a buyer takes its leads, by method (contract 6.1). */
import type { SealedValue } from '../../platform/security/sealedValue.js';
import type { ResponseRules } from './response.js';
import type { Template } from './template.js';

/** What becomes of a request that was sent and never answered. */
export type UnknownPolicy = 'hold' | 'assume_accepted' | 'fail_over';

/** What every method has. */
export interface CommonDelivery {
  /** Total time for one delivery, connect to last byte, in milliseconds (100 to 30,000). */
  timeout_ms: number;
  honours_idempotency_key: boolean;
  on_unknown: UnknownPolicy;
  /** How long an unanswered request may stay unknown before the lead expires, in milliseconds. */
  hold_max_age_ms: number;
  /** How long a lead may wait for this buyer before it expires, in milliseconds. */
  max_age_ms: number;
  /** Most requests open at once while its queue is drained. */
  max_concurrent: number;
  /** Most requests a second while its queue is drained, 0.01 to 1,000; null or absent is no limit. */
  max_per_second?: number | null;
}

/** By their names. A value rests sealed; as plain text where an earlier release stored it. */
export type StoredHeaders = Record<string, string | SealedValue>;

/** An HTTP POST to the buyer's own address. */
export interface WebhookSettings {
  url: string;
  headers: StoredHeaders;
  /** JSON when absent. */
  format?: 'json' | 'form';
  /** The body instead of the default one; for a form a flat object. Null or absent: the default body. */
  template?: Template | null;
  /** How the answer is read; null or absent: by its status alone. */
  response?: ResponseRules | null;
}

/** A mail through the SMTP server of this installation. */
export interface EmailSettings {
  /** 1 to 20 addresses. */
  to: string[];
  cc: string[];
  /** Text with placeholders; null: one made from the lead. */
  subject: string | null;
  format: 'text' | 'html';
  /** The text or HTML with placeholders; null: every value on a line of its own. */
  template: string | null;
  /** Adds the default webhook body as a file, for machines that read the mailbox. */
  attach_json: boolean;
  /** Its recipients must have confirmed; absent of those from before they were asked, which count as confirmed. */
  checked?: true;
}

/** A row appended to a sheet that is shared with the service account of this installation. */
export interface GoogleSheetSettings {
  spreadsheet_id: string;
  /** Name of the tab; null: the first. */
  sheet: string | null;
  /** Names of values, after the lead's id; null: every field of the mapping. */
  columns: string[] | null;
}

interface DeliveryMethods {
  WEBHOOK: WebhookSettings;
  EMAIL: EmailSettings;
  GOOGLE_SHEET: GoogleSheetSettings;
  /** The lead is kept here and counts as accepted at once. */
  STORE: object;
}

export type DeliveryMethod = keyof DeliveryMethods;

/**
 * Settings that a campaign has in the place of the buyer's own, as they are stored; the others are the buyer's.
 * `method` is there whenever one of them belongs to a method and not to all.
 */
export interface DeliveryOverrides {
  method?: DeliveryMethod;
  headers?: StoredHeaders;
  [setting: string]: unknown;
}

/** The settings of one method, or of any. */
export type DeliverySettings<M extends DeliveryMethod = DeliveryMethod> = {
  [K in M]: { method: K } & CommonDelivery & DeliveryMethods[K];
}[M];
