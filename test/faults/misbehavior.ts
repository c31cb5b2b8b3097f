/** Ways in which a buyer accepts a request and leaves it without a readable answer. */
import type { DeliveryInput } from '../../src/account/buyers/delivery.js';
import { sayAndEnd, say, type Act } from '../support/rawBuyer.js';

export interface Silence {
  act: Act;
  /** The reason on the trail and in the row. */
  reason: RegExp;
  delivery?: Partial<DeliveryInput>;
}

/** Set where only the time limit ends it. */
const SHORT: Partial<DeliveryInput> = { timeout_ms: 500 };

export const SILENCES: Record<string, Silence> = {
  'never answers': { act: () => undefined, reason: /^no answer in time$/, delivery: SHORT },
  'closes the line (FIN)': { act: (socket) => socket.end(), reason: /other side closed/ },
  'resets the line (RST)': {
    act: (socket) => socket.resetAndDestroy(),
    reason: /ECONNRESET|closed/,
  },
  'stops in the middle of the head': {
    act: sayAndEnd('HTTP/1.1 200 OK\r\nContent-Le'),
    reason: /closed|Parse Error|HPE_/,
  },
  'hangs in the middle of the head': {
    act: say('HTTP/1.1 200 OK\r\nContent-Le'),
    reason: /^no answer in time$/,
    delivery: SHORT,
  },
  'ends its answer before the length it named': {
    act: sayAndEnd('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"ok":true}'),
    reason: /closed|content-length|HPE_/i,
  },
  'drips its answer past the time limit': {
    act: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
      const drip = setInterval(() => socket.write(' '), 50);
      socket.once('close', () => clearInterval(drip));
    },
    reason: /^no complete answer in time$/,
    delivery: SHORT,
  },
  'names a length that is no number': {
    act: sayAndEnd('HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n{"ok":true}'),
    reason: /HPE_|Content-Length/i,
  },
  'answers in another protocol': {
    act: sayAndEnd('+OK I speak something else\r\n'),
    reason: /HTTP\/1\.1 protocol|HPE_/,
  },
  'says 100 Continue and no more': {
    act: sayAndEnd('HTTP/1.1 100 Continue\r\n\r\n'),
    reason: /bad response|closed/,
  },
  'changes the protocol unasked (101)': {
    act: say('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: raw\r\n\r\n'),
    reason: /bad upgrade/,
  },
};
