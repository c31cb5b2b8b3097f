/** One outbound request from its queue to its reply: undici's events, reported as a {@link TransportReply}. */
import { performance } from 'node:perf_hooks';
import type { Dispatcher } from 'undici';
import { decodeBody, decodeText, isPlain } from './answerBody.js';
import type { NoReply, TransportReply } from './reply.js';
import { tlsTroubleOf, tlsTroubleText } from './tlsTrouble.js';

interface ExchangeLimits {
  /** The request may not be written after this; on the clock of performance.now(). */
  writeBy: number;
  /** The last byte of the answer must be here by then; on the same clock. */
  deadline: number;
  maxResponseBytes: number;
}

/**
 * The handler of one request. undici calls `onRequestStart` in the same turn in which it writes the request to the
 * socket, with nothing in between; an error thrown there prevents the write and leaves the connection for other
 * requests. So the time is checked there, and `not_sent` ends there: any later failure is `no_answer`.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  private settled = false;
  private timer: NodeJS.Timeout;
  /** Set as soon as the request may have been written. */
  private writing: Dispatcher.DispatchController | null = null;
  private status = 0;
  private headers: Record<string, string> = {};
  private chunks: Buffer[] = [];
  private size = 0;

  constructor(
    private readonly limits: ExchangeLimits,
    private readonly done: (reply: TransportReply) => void,
  ) {
    this.timer = this.wake(Math.min(limits.writeBy, limits.deadline));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.settled) throw new Error('canceled while it waited for a connection');
    if (this.writing) throw new Error('the connection was lost after the request was written');
    // A connection is there: it is this process that comes too late.
    if (performance.now() > this.limits.writeBy) throw new Late();
    this.writing = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.status = status;
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined) this.headers[name] = Array.isArray(value) ? value.join(', ') : value;
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = this.limits.maxResponseBytes - this.size;
    this.size += chunk.length;
    this.chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    if (chunk.length <= room) return;
    this.answered(true);
    controller.abort(new Error('the answer is too long'));
  }

  onResponseEnd(): void {
    this.answered(false);
  }

  onResponseError(_controller: unknown, error: Error): void {
    const late = (!this.writing && error instanceof Late) || undefined;
    this.settle({ kind: this.writing ? 'no_answer' : 'not_sent', ...describe(error), late });
  }

  private answered(isCut: boolean): void {
    const { status, headers } = this;
    const bytes = Buffer.concat(this.chunks);
    const { 'content-encoding': encoding = '', 'content-type': contentType = '' } = headers;
    if (isPlain(encoding)) {
      this.settle({ kind: 'answered', status, headers, body: decodeText(bytes, contentType) });
      return;
    }
    if (!this.end()) return;
    const received = { bytes, encoding, contentType, isCut };
    // The answer is here, and no deadline applies to reading it: that is bounded by its size.
    void decodeBody(received, this.limits.maxResponseBytes).then(({ text, undecoded }) => {
      const unpacked = withoutPacking(headers);
      this.done({ kind: 'answered', status, headers: unpacked, body: text, undecoded });
    });
  }

  private settle(reply: TransportReply): void {
    if (this.end()) this.done(reply);
  }

  /** Whether this call completed it. */
  private end(): boolean {
    if (this.settled) return false;
    this.settled = true;
    clearTimeout(this.timer);
    this.chunks = [];
    return true;
  }

  private wake(at: number): NodeJS.Timeout {
    return setTimeout(() => this.onTime(), Math.max(1, at - performance.now()));
  }

  private onTime(): void {
    if (!this.writing) {
      const overdueMs = performance.now() - Math.min(this.limits.writeBy, this.limits.deadline);
      const late = overdueMs > STALLED_MS || undefined;
      this.settle({ kind: 'not_sent', reason: TOO_LATE, late });
    } else if (performance.now() + 1 < this.limits.deadline) {
      this.timer = this.wake(this.limits.deadline);
    } else {
      // A busy or stopped process may find its timer due and the answer already here: read first.
      setImmediate(() => this.giveUp());
    }
  }

  private giveUp(): void {
    if (this.settled) return;
    const missing = this.status ? 'complete answer' : 'answer';
    this.settle({ kind: 'no_answer', reason: `no ${missing} in time` });
    this.writing?.abort(new Error('out of time'));
  }
}

const OF_PACKING = ['content-encoding', 'content-length'];

/** The headers of the body as it is passed on. */
const withoutPacking = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_PACKING.includes(name)));

const TOO_LATE = 'no connection was free in time to send it';

/** A timer that comes so late shows that the process stood still meanwhile, and may have missed a connection. */
const STALLED_MS = 50;

class Late extends Error {
  constructor() {
    super(TOO_LATE);
  }
}

/** One line about an error: what is too weak at the server, or what the system or undici says, with its code. */
function describe(error: Error): Omit<NoReply, 'kind'> {
  const first = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  const code = (first as NodeJS.ErrnoException).code;
  const message = first.message || first.name;
  const tls = tlsTroubleOf(code, message);
  if (tls) return { reason: tlsTroubleText(tls), tls };
  const reason = code && !message.includes(code) ? `${message} (${code})` : message;
  return { reason: reason.slice(0, 200) };
}
