/** Asks name servers for the addresses of one full name. */
import type { LookupAddress } from 'node:dns';
import type { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Found {
  /** IPv4 first. Whoever connects tries the families in turn. */
  addresses: LookupAddress[];
  /** How long all of them hold, seconds. */
  ttl: number;
}

/** How long addresses of one family wait for those of the other (RFC 8305, section 3), milliseconds. */
const OTHER_FAMILY_MS = 50;

const NO_SUCH_NAME = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/**
 * @returns null when there is no such name, or it has no address
 * @throws {Error} of the resolver when no name server could say
 */
export async function ask(
  resolver: Pick<Resolver, 'resolve4' | 'resolve6'>,
  name: string,
): Promise<Found | null> {
  const found = new Map<4 | 6, { address: string; ttl: number }[]>();
  const four = resolver.resolve4(name, { ttl: true }).then((list) => void found.set(4, list));
  const six = resolver.resolve6(name, { ttl: true }).then((list) => void found.set(6, list));
  const both = Promise.allSettled([four, six]);
  try {
    await Promise.any([four, six]);
  } catch (error) {
    return noneOrThrow((error as AggregateError).errors as NodeJS.ErrnoException[]);
  }
  const ended = new AbortController();
  await Promise.race([
    both,
    sleep(OTHER_FAMILY_MS, null, { signal: ended.signal }).catch(() => null),
  ]);
  ended.abort();
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
