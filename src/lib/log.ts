/** The log: JSON lines on standard error, personal data cut out. */
import { pino, destination, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

/** Paths at which a logged object may carry personal data or secrets. */
const PRIVATE = ['fields', 'extra', 'body', 'keys', 'api_key', 'headers', 'excerpt', 'actual'];
/** Causes of causes that are logged. */
const CAUSES_MAX = 4;

export function createLog(
  level: string,
  role: string,
  stream: DestinationStream = destination({ dest: 2, sync: false }),
): Log {
  return pino(
    {
      level,
      base: { role },
      redact: { paths: PRIVATE.flatMap((key) => [key, `*.${key}`]), censor: '[redacted]' },
      serializers: { err: (error: unknown) => describeError(error) },
    },
    stream,
  );
}

interface ErrorDescription {
  type: string;
  message: string;
  code?: string | number;
  /** The calls that led to it, without the message. */
  stack?: string;
  cause?: ErrorDescription;
}

/**
 * What is logged of an error, and nothing else that it carries: the error of a bulk write has the whole documents,
 * and so the data of people.
 */
function describeError(error: unknown, depth = 0): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error' };
  const { code } = error as { code?: unknown };
  const stack = error.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(stack ? { stack } : {}),
    ...(error.cause !== undefined && depth < CAUSES_MAX
      ? { cause: describeError(error.cause, depth + 1) }
      : {}),
  };
}
