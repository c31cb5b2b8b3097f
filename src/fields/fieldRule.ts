export type FieldType =
  | 'String'
  | 'Number'
  | 'Boolean'
  | 'Phone'
  | 'Email'
  | 'Date'
  | 'State'
  | 'Zip / Postal Code'
  | 'URL'
  | 'List of Allowed Values';

export type Transform =
  'trim' | 'lowercase' | 'uppercase' | 'titlecase' | 'phone_e164' | 'date_iso' | 'zip5' | 'digits';

/** One entry of a campaign's field mapping. */
export interface FieldRule {
  name: string;
  type: FieldType;
  required: boolean;
  ping_required: boolean;
  label?: string;
  allowed_values?: string[];
  /** Inclusive bounds of a Number. */
  min?: number;
  max?: number;
  max_length?: number;
  /** Matched on a linear-time engine, so that no value can stall a worker. */
  pattern?: string;
  /** Of a Phone: it must fit the numbering plan of its country; else a plausible length is enough. */
  strict?: boolean;
  transforms?: Transform[];
  default?: string | number | boolean;
}
