/** The supported revisions of the Model Context Protocol, and the codes of its errors. */

/** The revisions that begin with `initialize`, newest first. */
export const HANDSHAKE_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
/** The revisions in which every request carries its client and version itself. */
export const STATELESS_VERSIONS = ['2026-07-28'] as const;
export const ALL_VERSIONS: readonly string[] = [...STATELESS_VERSIONS, ...HANDSHAKE_VERSIONS];
/** JSON-RPC batches came with 2025-03-26, and ended with the revision after it. */
export const BATCH_VERSIONS: readonly string[] = ['2025-03-26', '2024-11-05'];

/** JSON-RPC 2.0, section 5.1; from -32020 on, those of MCP 2026-07-28. */
export const RPC = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  /** Ours, in the range that JSON-RPC leaves to servers: a batch member is refused like a whole call. */
  refused: -32_000,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
} as const;

export interface RpcErrorOptions {
  /** Status of the HTTP answer; 200 where the request was valid. */
  status?: number;
  data?: Record<string, unknown>;
}

/** A refusal of the protocol. The refusal of a tool is a result of that tool. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly status: number;
  readonly data: Record<string, unknown> | undefined;

  constructor(
    readonly code: number,
    message: string,
    { status = 200, data }: RpcErrorOptions = {},
  ) {
    super(message);
    this.status = status;
    this.data = data;
  }
}
