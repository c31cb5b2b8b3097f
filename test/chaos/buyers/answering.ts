/** Sends a buyer's answer as its behavior says, and returns whether it was written out. */
import type { ServerResponse } from 'node:http';
import { reset } from '../faults/resetting.js';
import type { Answer, Behavior, Times } from './behaviors.js';

/** `cut`: either side closed the connection before the whole answer was handed to the system. */
export type Ended = 'answered' | 'cut';

export function giveAnswer(
  response: ServerResponse,
  { answer, delayMs }: Behavior,
  times: Times,
): Promise<Ended> {
  return new Promise((resolve) => {
    const timers = new Set<NodeJS.Timeout>();
    const end = (how: Ended) => {
      timers.forEach((timer) => clearTimeout(timer));
      resolve(how);
    };
    const after = (ms: number, act: () => void) => void timers.add(setTimeout(act, ms));
    response.once('finish', () => end('answered'));
    response.once('close', () => end('cut'));
    if (response.destroyed) end('cut');
    else if (delayMs > 0) after(delayMs, () => write(response, answer, times, after, end));
    else write(response, answer, times, after, end);
  });
}

function write(
  response: ServerResponse,
  answer: Answer,
  times: Times,
  after: (ms: number, act: () => void) => void,
  end: (how: Ended) => void,
): void {
  switch (answer.way) {
    case 'whole':
      response.writeHead(answer.status, answer.headers);
      response.end(answer.body);
      return;
    case 'drip': {
      const length = String(Buffer.byteLength(answer.body));
      response.writeHead(answer.status, { ...answer.headers, 'content-length': length });
      response.flushHeaders();
      drip(response, Buffer.from(answer.body), times.drip, after);
      return;
    }
    case 'raw':
      response.socket?.end(answer.bytes, 'latin1', () => end('answered'));
      return;
    case 'reset':
      if (response.socket) reset(response.socket);
      return;
    case 'never':
      // Until the other side closes the connection.
      return;
  }
}

function drip(
  response: ServerResponse,
  left: Buffer,
  everyMs: number,
  after: (ms: number, act: () => void) => void,
): void {
  if (left.length <= 1) {
    response.end(left);
    return;
  }
  response.write(left.subarray(0, 1));
  after(everyMs, () => drip(response, left.subarray(1), everyMs, after));
}
