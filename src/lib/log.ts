/** The log: JSON lines on standard error, personal data cut out. */
import { pino, destination, type DestinationStream, type Logger } from 'pino';
import { createOutages, outageOf } from './outages.js';

export type Log = Logger;

/** Paths at which a logged object may carry personal data or secrets. */
const PRIVATE = ['fields', 'extra', 'body', 'keys', 'api_key', 'headers', 'excerpt', 'actual'];
/** Causes of causes that are logged. */
const CAUSES_MAX = 4;

/** @param outages which lines about an outage of the database are written; the others are counted */
export function createLog(
  level: string,
  role: string,
  stream: DestinationStream = destination({ dest: 2, sync: false }),
  outages = createOutages(),
): Log {
  return pino(
    {
      level,
      base: { role },
      redact: { paths: PRIVATE.flatMap((key) => [key, `*.${key}`]), censor: '[redacted]' },
      hooks: {
        logMethod(given, write) {
          const [about, text] = given as unknown[];
          const err = outageOf(isRecord(about) ? about.err : about);
          const line = typeof text === 'string' ? text : (err?.message ?? '');
          const report = (repeated: number): void => write.call(this, { err, repeated }, line);
          if (err === null || outages.isFirst(line, report)) write.apply(this, given);
        },
      },
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
  const hasCause = error.cause !== undefined && depth < CAUSES_MAX;
  return {
    type: error.name,
    message: error.message,
    code: typeof code === 'string' || typeof code === 'number' ? code : undefined,
    // The calls say nothing of why a server does not answer.
    stack: outageOf(error) === null ? stackOf(error) : undefined,
    cause: hasCause ? describeError(error.cause, depth + 1) : undefined,
  };
}

const stackOf = ({ stack }: Error): string | undefined =>
  stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
