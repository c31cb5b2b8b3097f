/** A TCP proxy that breaks the traffic through it on request. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createRandom } from '../prng.js';
import { relay, type TurnFault } from './proxyRelay.js';
import { listenSteadily } from '../cluster/steadyPort.js';

/** `pass`: everything goes through. `refuse`: connections are refused. For the others see {@link TurnFault}. */
export type ProxyMode = 'pass' | 'refuse' | TurnFault;

/** The shares, 0 to 1 and together at most 1, of the turns that are broken in each way. */
export type FaultMix = Partial<Record<TurnFault, number>>;

export interface ProxyOptions {
  /** A URL, whose path the proxy's own URL repeats, or `host:port`. */
  target: string;
  seed: string;
  port?: number;
}

/** `connections` and `turns` (in HTTP, a turn is one request) count all, the others count the broken turns. */
export type ProxyCounts = Record<'connections' | 'turns' | TurnFault, number>;

export interface Proxy {
  port: number;
  url: string;
  /**
   * Resolves when the mode holds for every turn that begins from now on, also in connections that are already open.
   * With `share`, 0 to 1, the other turns pass; `refuse` has no share, and resets open connections.
   */
  mode(mode: ProxyMode, share?: number): Promise<void>;
  /** Several faults side by side; all other turns pass. */
  mix(faults: FaultMix): Promise<void>;
  counts(): ProxyCounts;
  /** Resets all connections and stops listening. */
  stop(): Promise<void>;
}

/** @throws {Error} when the target is invalid, or no port can be taken */
export async function startProxy({ target, seed, port }: ProxyOptions): Promise<Proxy> {
  const { host, to, path } = readTarget(target);
  const counts: ProxyCounts = {
    connections: 0,
    turns: 0,
    cut_before: 0,
    cut_after: 0,
    cut_mid_answer: 0,
    hang: 0,
  };
  const relays = new Map<Socket, ReturnType<typeof relay>>();
  let faults: [TurnFault, number][] = [];

  const server = createServer({ noDelay: true }, (client) => {
    const random = createRandom(seed, `connection ${++counts.connections} to ${target}`);
    const choose = (): TurnFault | 'pass' => {
      counts.turns += 1;
      if (faults.length === 0) return 'pass';
      let left = random.next();
      return faults.find(([, share]) => (left -= share) < 0)?.[0] ?? 'pass';
    };
    const broke = (fault: TurnFault) => void (counts[fault] += 1);
    relays.set(client, relay(client, { host, port: to, choose, broke, random }));
    client.once('close', () => relays.delete(client));
  });
  const taken = await listenSteadily(server, port);

  const close = async (): Promise<void> => {
    relays.forEach((one) => one.reset());
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  };
  const change = async (next: FaultMix | 'refuse'): Promise<void> => {
    if (next === 'refuse') return close();
    faults = Object.entries(next) as [TurnFault, number][];
    relays.forEach((one) => one.endHang());
    if (!server.listening) await listenSteadily(server, taken);
  };
  let changing: Promise<void> = Promise.resolve();
  const inTurn = (act: () => Promise<void>): Promise<void> => (changing = changing.then(act));
  return {
    port: taken,
    url: `http://127.0.0.1:${taken}${path}`,
    mode(mode, share = 1) {
      if (mode === 'refuse') return inTurn(() => change('refuse'));
      return inTurn(() => change(mode === 'pass' ? {} : { [mode]: share }));
    },
    mix: (mixed) => inTurn(() => change(mixed)),
    counts: () => ({ ...counts }),
    stop: () => inTurn(close),
  };
}

function readTarget(target: string): { host: string; to: number; path: string } {
  const url = URL.parse(target.includes('://') ? target : `tcp://${target}`);
  if (!url?.port) throw new Error(`A proxy's target must be a URL or host:port, not ${target}`);
  return {
    host: url.hostname,
    to: Number(url.port),
    path: url.pathname === '/' ? '' : url.pathname,
  };
}
