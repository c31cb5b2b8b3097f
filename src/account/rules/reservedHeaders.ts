/** Headers a receiver cannot set for itself, in lower case: ours, and those that frame the request. */
export const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  'content-type',
  'x-lead-id',
  'idempotency-key',
  'x-leaddistro-signature',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'host',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'trailer',
  'expect',
  'upgrade',
]);

/** Headers a buyer cannot set for its ping, in lower case. */
export const RESERVED_PING_HEADERS: ReadonlySet<string> = new Set([
  ...RESERVED_HEADERS,
  'x-ping-id',
]);

/** The headers that a receiver wants in addition to ours, their names in lower case. */
export const receiverHeaders = (
  headers: Readonly<Record<string, string>>,
  reserved = RESERVED_HEADERS,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !reserved.has(name)),
  );
