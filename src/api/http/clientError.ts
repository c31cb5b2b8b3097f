/** Answers to input that never became a request: bytes that are not HTTP, too many headers, too slow a sender. */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { AppError } from '../../lib/errors.js';
import { errorBody } from './errorBody.js';
import { DATA_HEADERS, STAY_WITH_HTTPS } from './middleware/browserHeaders.js';

/** The application does not run here, so the answer is written by hand; it ends the connection. */
export function answerClientError(cause: NodeJS.ErrnoException, socket: Duplex): void {
  // A spare connection without a request: its client would read an answer as the one to its next request.
  const wasIdle = socket instanceof Socket && socket.bytesRead === 0;
  if (wasIdle || !socket.writable || cause.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const error = errorOf(cause.code);
  const requestId = randomUUID();
  const text = JSON.stringify(errorBody(error, requestId));
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    `x-request-id: ${requestId}`,
    ...headerLines(socket).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
}

/** The headers that every answer has. */
const headerLines = (socket: Duplex): (readonly [string, string])[] => [
  ...Object.entries(DATA_HEADERS),
  ...(socket instanceof TLSSocket ? [STAY_WITH_HTTPS] : []),
];

function errorOf(code: string | undefined): AppError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new AppError('request_timeout', 'The request did not arrive in time.');
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new AppError('headers_too_large', 'The headers are over the limit of 16 KiB.');
  }
  if (code === 'ERR_SSL_HTTP_REQUEST') {
    return new AppError(
      'malformed_request',
      'This port speaks HTTPS: send it to https://, not to http://.',
    );
  }
  return new AppError('malformed_request', 'This is not a valid HTTP request.');
}
