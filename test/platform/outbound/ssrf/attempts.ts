/** Which addresses sockets of this process are opened to, told by Node itself. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import {
  getDefaultAutoSelectFamilyAttemptTimeout as getAttemptTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout as setAttemptTimeout,
  type Socket,
} from 'node:net';

/**
 * Public by the door's rule, and nobody is there: a research network that takes no connections, and
 * space not handed out.
 */
export const OUTSIDE = { four: '1.2.3.4', six: '3000::1' };

export interface Attempts {
  /** In order, before the system is asked to connect. */
  addresses: string[];
  stop(): void;
}

const CHANNEL = 'net.client.socket';
/** From an address that does not answer, Node goes on to the next, as an attacker hopes. */
const NEXT_AFTER_MS = 20;
/** When none is left, the socket is ended, so that no test waits for a network. */
const END_AFTER_MS = 60;

/** Connections to the servers of the test run, which pools of this process open when they like, are none of them. */
export function watchAttempts(): Attempts {
  const { TEST_MONGODB_URI = '', TEST_TEMPORAL_ADDRESS = '' } = process.env;
  const servers: string[] = `${TEST_MONGODB_URI} ${TEST_TEMPORAL_ADDRESS}`.match(/:\d+/g) ?? [];
  const addresses: string[] = [];
  const usual = getAttemptTimeout();
  const onSocket = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    let ending: NodeJS.Timeout | undefined;
    socket.on('connectionAttempt', (address: string, port: number) => {
      if (servers.includes(`:${String(port)}`)) return;
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
