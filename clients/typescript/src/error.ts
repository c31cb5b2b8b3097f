/** A refusal of the service, as a program reads it. */

/** One fault of an input: where it is, and what would be right. */
export interface Fault {
  /** Of an action's input: the path of the value. */
  path?: string;
  /** Of a lead: the key. */
  field?: string;
  code: string;
  message: string;
}

/** The body of a refusal. */
export interface RefusalBody {
  /** A stable code, such as `record_not_found`. */
  error: string;
  message: string;
  request_id?: string;
  details?: Fault[];
  field_errors?: Fault[];
  filter_errors?: Record<string, unknown>[];
  /** The permission that the key lacks. */
  required?: string;
  /** Seconds until a retry makes sense. */
  retry_after?: number;
  /** A refused lead was kept under this id. */
  lead_id?: string;
}

/** Thrown for every answer that is no success; `message` says what to do. */
export class LeadwireError extends Error {
  override readonly name = 'LeadwireError';
  /** The stable code. */
  readonly code: string;
  /** Every fault of the input; empty where it was not the input. */
  readonly faults: readonly Fault[];
  /** The id of the request in the log of the service. */
  readonly requestId: string | undefined;

  constructor(
    /** Of the HTTP answer. */
    readonly status: number,
    /** The whole body. */
    readonly body: RefusalBody,
  ) {
    super(body.message);
    this.code = body.error;
    this.faults = body.details ?? body.field_errors ?? [];
    this.requestId = body.request_id;
  }
}

/** An answer that is no JSON of the service: of a proxy in front of it, or of another program. */
export const notOurs = (status: number, text: string): LeadwireError =>
  new LeadwireError(status, {
    error: 'not_leadwire',
    message: `The answer is not from Leadwire (HTTP ${status}): ${text.slice(0, 200)}`,
  });
