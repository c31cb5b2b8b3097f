/** `850 ms`, `12 s`, `4 min 10 s`. */
export function formatElapsed(ms: number): string {
  if (ms < 1_000) return `${String(Math.round(ms))} ms`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${String(seconds)} s`;
  return `${String(Math.floor(seconds / 60))} min ${String(seconds % 60)} s`;
}

/** Bytes as `41.2 MB` (10^6). */
export function formatSize(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' && !error.message.includes(cause.message)
    ? `${error.message}: ${cause.message}`
    : error.message;
}
