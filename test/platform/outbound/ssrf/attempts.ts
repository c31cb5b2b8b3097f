/** The addresses that sockets are opened to, as Node itself reports them. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import {
  getDefaultAutoSelectFamilyAttemptTimeout as getAttemptTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout as setAttemptTimeout,
  type Socket,
} from 'node:net';

/**
 * Public by the outbound rule, and no host answers there: a research network that accepts no connections, and
 * an unallocated range.
 */
export const OUTSIDE = { four: '1.2.3.4', six: '3000::1' };

export interface Attempts {
  /** In order, before the system is asked to connect. */
  addresses: string[];
  stop(): void;
}

const CHANNEL = 'net.client.socket';
/** After an address that does not answer, Node tries the next one, as an attacker hopes. */
const NEXT_AFTER_MS = 20;
/** When no address is left, the socket is ended, so that no test waits for a network. */
const END_AFTER_MS = 60;

const watched = new AsyncLocalStorage<object>();

/**
 * Watches the sockets that the caller, and everything it calls, opens from here on: pools left by other tests of this
 * process open sockets of their own at any time.
 */
export function watchAttempts(): Attempts {
  const watch = {};
  watched.enterWith(watch);
  const addresses: string[] = [];
  const usual = getAttemptTimeout();
  const onSocket = (message: unknown): void => {
    if (watched.getStore() !== watch) return;
    const { socket } = message as { socket: Socket };
    let ending: NodeJS.Timeout | undefined;
    socket.on('connectionAttempt', (address: string) => {
      addresses.push(address);
      clearTimeout(ending);
      if (!Object.values(OUTSIDE).includes(address)) return;
      ending = setTimeout(() => socket.destroy(new Error('nobody is there')), END_AFTER_MS);
    });
    socket.once('close', () => clearTimeout(ending));
  };
  setAttemptTimeout(NEXT_AFTER_MS);
  subscribe(CHANNEL, onSocket);
  return {
    addresses,
    stop: () => {
      unsubscribe(CHANNEL, onSocket);
      setAttemptTimeout(usual);
    },
  };
}
