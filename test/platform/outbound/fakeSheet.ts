/** One sheet behind a server that stands for Google: it keeps its rows, and fails as the test says. */
import { startGoogle, type GoogleServer } from './googleServer.js';

interface Append {
  writes: boolean;
  status: number;
  message?: string;
}

export interface FakeSheet extends Pick<GoogleServer, 'url' | 'keyJson' | 'seen'> {
  rows: unknown[][];
  /** The result of the next append; later ones are written. */
  next(append: Append): void;
  /** The next `count` reads are answered 503, after `after` successful ones. */
  failReads(count: number, after?: number): void;
  reset(): void;
  stop(): void;
}

export async function startSheet(): Promise<FakeSheet> {
  const rows: unknown[][] = [];
  let appends: Append[] = [];
  let reads = { fail: 0, after: 0 };
  const google = await startGoogle(({ path, body }, res) => {
    const say = (status: number, value: unknown) =>
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (path.includes(':append?')) {
      const { writes, status, message } = appends.shift() ?? { writes: true, status: 200 };
      if (writes) rows.push(...(JSON.parse(body) as { values: unknown[][] }).values);
      return say(status, status === 200 ? { updates: {} } : { error: { message } });
    }
    if (reads.after > 0) reads.after -= 1;
    else if (reads.fail > 0) {
      reads.fail -= 1;
      return say(503, {});
    }
    if (path.includes('?fields=')) {
      const gridProperties = { rowCount: rows.length + 1_000 };
      return say(200, { sheets: [{ properties: { title: 'Events', gridProperties } }] });
    }
    if (path.includes('!1:1?')) return say(200, rows[0] ? { values: [rows[0]] } : {});
    const [, first = '1', last = '1'] = /A(\d+):A(\d+)/.exec(decodeURIComponent(path)) ?? [];
    const values = rows.slice(Number(first) - 1, Number(last)).map(([cell]) => cell);
    return say(200, values.length > 0 ? { values: [values] } : {});
  });
  return {
    ...google,
    rows,
    next: (append) => void appends.push(append),
    failReads: (fail, after = 0) => (reads = { fail, after }),
    reset() {
      rows.length = 0;
      appends = [];
      reads = { fail: 0, after: 0 };
      google.seen.length = 0;
    },
  };
}
