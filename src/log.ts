/** The log: JSON lines on standard error, personal data cut out. */
import { pino, destination, type Logger } from 'pino';

export type Log = Logger;

/** Paths at which a logged object may carry personal data or secrets. */
const PRIVATE = ['fields', 'extra', 'body', 'keys', 'api_key', 'headers', 'excerpt', 'actual'];

export function createLog(level: string, role: string): Log {
  return pino(
    {
      level,
      base: { role },
      redact: { paths: PRIVATE.flatMap((key) => [key, `*.${key}`]), censor: '[redacted]' },
    },
    destination({ dest: 2, sync: false }),
  );
}
