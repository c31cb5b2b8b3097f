/** One connection through the proxy, turn by turn. */
import { connect, type Socket } from 'node:net';
import type { Random } from '../prng.js';
import { reset } from './resetting.js';

/**
 * A turn begins with the first bytes that the client sends after the other side has sent something, and lasts until
 * the client sends again: in HTTP, a request and its answer.
 * - `cut_before`: the connection ends when the request comes; not a byte of it is forwarded.
 * - `cut_after`: all of the request is forwarded; the connection ends when the first byte of the answer comes.
 * - `cut_mid_answer`: it ends after some bytes of the answer.
 * - `hang`: nothing is forwarded, and the connection stays open until the client closes it or the mode changes.
 */
export type TurnFault = 'cut_before' | 'cut_after' | 'cut_mid_answer' | 'hang';

export interface RelayOptions {
  host: string;
  port: number;
  /** Asked at the beginning of each turn. */
  choose: () => TurnFault | 'pass';
  broke: (fault: TurnFault) => void;
  random: Random;
}

export interface Relay {
  /** Ends the connection at once, on both sides. */
  reset(): void;
  /** Ends it where it hangs: held-back bytes are never delivered late. */
  endHang(): void;
}

/** Less than the head of any HTTP answer. */
const PART_OF_ANSWER: readonly [number, number] = [1, 60];

export function relay(client: Socket, options: RelayOptions): Relay {
  const { choose, broke, random } = options;
  const upstream = connect({ host: options.host, port: options.port, noDelay: true });
  let fault: TurnFault | 'pass' = 'pass';
  let isNewTurn = true;
  let answerLeft = 0;

  const resetBoth = (): void => {
    reset(client);
    upstream.destroy();
  };
  /** By RST, as when the peer crashes, or by FIN, as when it closes: clients meet both. */
  const cut = (): void => {
    upstream.destroy();
    if (random.next() < 0.5) reset(client);
    else client.destroy();
  };

  client.on('data', (bytes) => {
    if (isNewTurn) {
      isNewTurn = false;
      fault = choose();
      answerLeft = random.between(...PART_OF_ANSWER);
      if (fault === 'cut_before' || fault === 'hang') broke(fault);
    }
    if (fault === 'cut_before') cut();
    else if (fault !== 'hang') forward(bytes, client, upstream);
  });

  upstream.on('data', (bytes) => {
    isNewTurn = true;
    if (fault === 'cut_after') {
      broke(fault);
      cut();
    } else if (fault === 'cut_mid_answer' && bytes.length >= answerLeft) {
      broke(fault);
      upstream.destroy();
      client.end(bytes.subarray(0, answerLeft));
    } else {
      answerLeft -= bytes.length;
      forward(bytes, upstream, client);
    }
  });

  client.on('close', () => upstream.destroy());
  client.on('error', () => undefined);
  upstream.on('error', () => reset(client));
  upstream.on('close', () => client.end());
  return {
    reset: resetBoth,
    endHang: () => {
      if (fault === 'hang') resetBoth();
    },
  };
}

function forward(bytes: Buffer, from: Socket, to: Socket): void {
  if (to.destroyed || to.write(bytes)) return;
  from.pause();
  to.once('drain', () => from.resume());
}
