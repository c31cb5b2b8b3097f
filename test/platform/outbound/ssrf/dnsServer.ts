/** A name server of the test's own: the test decides what a name resolves to, and when that changes. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Resolver } from 'node:dns/promises';
import { decode, encode, type Answer, type Question } from 'dns-packet';
import type { LookupAddress } from 'node:dns';

/**
 * The answers for each name: a list for each query in turn, the last one repeated. A line reads
 * `A 10.0.0.1`, `AAAA ::1` or `CNAME other.test`; lines after a CNAME belong to its target. A number after it is its
 * TTL in seconds, default 0; a second one is the delay of the answer in milliseconds. For `SILENCE` there is no answer
 * at all, for `SERVFAIL` the server fails. Names that are not listed do not exist.
 */
export type Zone = Record<string, string[][]>;

export interface DnsServer {
  /** The queries received, in order, such as `A name.test`. */
  questions: string[];
  /** Its address: `127.0.0.1:5353`. */
  address: string;
  /** Queries only this server; IPv4 first. */
  resolve: (host: string) => Promise<LookupAddress[]>;
  close(): Promise<void>;
}

const NOT_SAID = 2;
const NO_SUCH_NAME = 3;
const SILENCE = 'SILENCE';
const SERVFAIL = 'SERVFAIL';

/** Returns `*.tar.test` for `a.tar.test`. */
const parentOf = (name: string): string => `*${name.slice(name.indexOf('.'))}`;

export async function startDnsServer(zone: Zone): Promise<DnsServer> {
  const questions: string[] = [];
  let isClosed = false;
  const socket = createSocket('udp4');
  socket.on('message', (message, client) => {
    const { id, questions: [question] = [] } = decode(message);
    if (!question) return;
    const asked = `${question.type} ${question.name}`;
    const times = questions.filter((earlier) => earlier === asked).length;
    questions.push(asked);
    const steps = zone[question.name] ?? zone[parentOf(question.name)];
    const lines = steps?.[Math.min(times, steps.length - 1)] ?? [];
    if (lines.includes(SILENCE)) return;
    const isSaid = !lines.includes(SERVFAIL);
    const answers = isSaid ? answersTo(question, lines) : [];
    const flags = isSaid ? (steps ? 0 : NO_SUCH_NAME) : NOT_SAID;
    const packet = encode({ type: 'response', id, flags, questions: [question], answers });
    const say = (): void => {
      if (!isClosed) socket.send(packet, client.port, client.address);
    };
    setTimeout(say, delayOf(question, lines)).unref();
  });
  await once(socket.bind(0, '127.0.0.1'), 'listening');

  const resolver = new Resolver({ timeout: 1_000, tries: 1 });
  const address = `127.0.0.1:${socket.address().port}`;
  resolver.setServers([address]);
  return {
    questions,
    address,
    resolve: async (host) => {
      const [four, six] = await Promise.all([
        orNothing(resolver.resolve4(host)),
        orNothing(resolver.resolve6(host)),
      ]);
      return [
        ...four.map((address) => ({ address, family: 4 })),
        ...six.map((address) => ({ address, family: 6 })),
      ];
    },
    close: async () => {
      isClosed = true;
      resolver.cancel();
      socket.close();
      await once(socket, 'close');
    },
  };
}

/** The lines of the queried type, and the aliases on the way to them. */
function answersTo(question: Question, lines: string[]): Answer[] {
  let owner = question.name;
  const answers: Answer[] = [];
  for (const line of lines) {
    const [type, data = '', ttl = '0'] = line.split(' ');
    if (type !== 'A' && type !== 'AAAA' && type !== 'CNAME') throw new Error(`cannot say ${line}`);
    if (type === 'CNAME' || type === question.type) {
      answers.push({ type, name: owner, ttl: Number(ttl), data });
    }
    if (type === 'CNAME') owner = data;
  }
  return answers;
}

/** The delay of these lines in milliseconds, for a query of this type. */
const delayOf = ({ type }: Question, lines: string[]): number =>
  Math.max(
    0,
    ...lines
      .filter((line) => line.startsWith(`${type} `))
      .map((line) => Number(line.split(' ')[3] ?? 0)),
  );

/** A family without addresses is not a failure; the name may have some of the other. */
const orNothing = (found: Promise<string[]>): Promise<string[]> => found.catch(() => []);
