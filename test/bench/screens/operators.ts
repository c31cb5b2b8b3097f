/** People of the organization who are signed in to the console, and open screens like a browser. */
import { Pool } from 'undici';
import { signInMember } from '../../support/portal.js';
import type { Bench } from '../bench.js';
import type { Screen, ScreenCall } from './pages.js';

const CONNECTIONS = 128;

export interface Operators {
  /** Opens a screen as the n-th person. Its class: `opened`, or the status and code of the first refusal. */
  open(screen: Screen, n: number): Promise<string>;
  /** The data of one call. */
  read(call: ScreenCall): Promise<Answer>;
  /** Follows new leads as the n-th person until the signal ends it. @returns how many came */
  follow(n: number, signal: AbortSignal): Promise<number>;
  close(): Promise<void>;
}

export interface Answer {
  status: number;
  data?: unknown;
  next_cursor?: string | null;
  error?: string;
}

interface Seat {
  cookie: string;
  path: string;
}

export async function openOperators(
  { collections, apiUrl }: Bench,
  org_id: string,
  people: number,
): Promise<Operators> {
  const pool = new Pool(apiUrl, { connections: CONNECTIONS, keepAliveTimeout: 60_000 });
  const seats: Seat[] = [];
  for (let n = 0; n < people; n += 1) {
    const scope = { kind: 'organization' } as const;
    const { cookie, membership_id } = await signInMember(collections, { org_id, scope });
    seats.push({ cookie, path: `/console/api/${membership_id}` });
  }
  const seatOf = (n: number): Seat => {
    const seat = seats[n % seats.length];
    if (!seat) throw new Error('Nobody is signed in');
    return seat;
  };
  const call = async ({ cookie, path }: Seat, [action, input]: ScreenCall): Promise<Answer> => {
    const reply = await pool.request({
      path: `${path}/actions/${action}`,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
      body: JSON.stringify(input),
    });
    return { ...((await reply.body.json()) as Answer), status: reply.statusCode };
  };
  return {
    async open({ calls }, n) {
      const answers = await Promise.all(calls.map((one) => call(seatOf(n), one)));
      const refused = answers.findIndex(({ status }) => status !== 200);
      if (refused < 0) return 'opened';
      const { status, error = '' } = answers[refused] ?? { status: 0 };
      return `${status} ${calls[refused]?.[0] ?? ''} ${error}`;
    },
    read: (one) => call(seatOf(0), one),
    async follow(n, signal) {
      const { cookie, path } = seatOf(n);
      let leads = 0;
      try {
        const reply = await fetch(`${apiUrl}${path}/leads/live`, {
          headers: { 'sec-fetch-site': 'same-origin', cookie },
          signal,
        });
        if (!reply.ok || !reply.body) throw new Error(`The feed was answered with ${reply.status}`);
        for await (const chunk of reply.body.pipeThrough(new TextDecoderStream()))
          leads += chunk.split('event: lead').length - 1;
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      return leads;
    },
    close: () => pool.destroy(),
  };
}
