/** Asks name servers for the addresses of one full name. */
import type { LookupAddress } from 'node:dns';
import type { Resolver } from 'node:dns/promises';
import { raceTimeout } from '../../../lib/withTimeout.js';

export interface Found {
  /** IPv4 first. The connector tries the families in turn. */
  addresses: LookupAddress[];
  /** How long all of them are valid, seconds. */
  ttl: number;
  /** The same once the other family is known or failed; absent: it is included already. Never rejects. */
  later?: Promise<Found>;
}

type Asked = Pick<Resolver, 'resolve4' | 'resolve6'>;
type Answers = { address: string; ttl: number }[];

/** How long IPv4 addresses wait for those of IPv6 (RFC 8305, section 3), milliseconds. */
const IPV6_MS = 50;
/**
 * The other way round: many machines have no route to IPv6, and for them a name without IPv4 addresses has none. As
 * long as a question takes whose first packet was lost.
 */
const IPV4_MS = 2_000;

const NO_SUCH_NAME = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);
const NOT_SAID = new Set(['ESERVFAIL', 'EREFUSED', 'ENOTIMP']);

/** Whether a server answered that it cannot answer. */
export const isNotSaid = (error: unknown): boolean =>
  NOT_SAID.has((error as NodeJS.ErrnoException).code ?? '');

/**
 * @param resolvers each is queried when those before it have refused
 * @returns null when there is no such name, or it has no address
 * @throws {Error} of the resolver when no name server had an answer
 */
export async function ask(resolvers: readonly Asked[], name: string): Promise<Found | null> {
  const found = new Map<4 | 6, Answers>();
  const four = firstSaid(resolvers, (one) => one.resolve4(name, { ttl: true })).then(
    (list) => void found.set(4, list),
  );
  const six = firstSaid(resolvers, (one) => one.resolve6(name, { ttl: true })).then(
    (list) => void found.set(6, list),
  );
  const both = Promise.allSettled([four, six]);
  try {
    await Promise.any([four, six]);
  } catch (error) {
    return noneOrThrow((error as AggregateError).errors as NodeJS.ErrnoException[]);
  }
  const waitMs = found.has(4) ? IPV6_MS : IPV4_MS;
  const whole = both.then(() => true);
  const isWhole = await raceTimeout(whole, waitMs, () => false);
  return isWhole ? wholeOf(found) : { ...wholeOf(found), later: both.then(() => wholeOf(found)) };
}

/**
 * Node's resolver takes the first answer of any server; the system's own asks the next one after a refusal, and so does
 * this.
 */
async function firstSaid(
  resolvers: readonly Asked[],
  question: (resolver: Asked) => Promise<Answers>,
): Promise<Answers> {
  const [first, ...others] = resolvers;
  if (!first) throw new Error('there is no name server');
  try {
    return await question(first);
  } catch (error) {
    if (others.length === 0 || !isNotSaid(error)) throw error;
    return firstSaid(others, question);
  }
}

function wholeOf(found: ReadonlyMap<4 | 6, Answers>): Found {
  const answers = ([4, 6] as const).flatMap((family) =>
    (found.get(family) ?? []).map((answer) => ({ ...answer, family })),
  );
  return {
    addresses: answers.map(({ address, family }) => ({ address, family })),
    ttl: Math.min(...answers.map(({ ttl }) => ttl)),
  };
}

function noneOrThrow(errors: NodeJS.ErrnoException[]): null {
  const unsaid = errors.find(({ code }) => !NO_SUCH_NAME.has(code ?? ''));
  if (unsaid) throw unsaid;
  return null;
}
