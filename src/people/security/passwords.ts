/** Hashes of passwords: argon2id, a few at a time. */
import { hash, verify } from '@node-rs/argon2';
import { unavailable } from '../../lib/errors.js';
import { newToken } from './tokens.js';

export interface Passwords {
  /** @throws {AppError} `unavailable` when too many wait */
  hash(password: string): Promise<string>;
  /**
   * Whether it is the password of this hash. Without a hash it takes as long, and is not.
   * @throws {AppError} `unavailable` when too many wait
   */
  verify(stored: string | undefined, password: string): Promise<boolean>;
}

/** OWASP's first choice of argon2id: 19 MiB, 2 passes; 42-55 ms on one core. The library's id of argon2id is 2. */
const COST = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** More would occupy every thread of the pool that also resolves host names. */
const AT_ONCE = 2;
/** Some seconds' work. */
const WAITING_MAX = 100;

export function createPasswords(): Passwords {
  const turns = createTurns();
  let unknown: Promise<string> | undefined;
  return {
    hash: (password) => turns.take(() => hash(asHashed(password), COST)),
    async verify(stored, password) {
      const compared = stored ?? (await (unknown ??= turns.take(() => hash(newToken(), COST))));
      const isRight = await turns.take(() => verify(compared, asHashed(password)));
      return stored !== undefined && isRight;
    },
  };
}

/** One text, however a keyboard composes it (NIST SP 800-63B, 3.1.1.2). */
export const asHashed = (password: string): string => password.normalize('NFKC');

interface Turns {
  take<T>(work: () => Promise<T>): Promise<T>;
}

function createTurns(): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  const next = (): void => {
    running -= 1;
    waiting.shift()?.();
  };
  return {
    async take(work) {
      if (running >= AT_ONCE) {
        if (waiting.length >= WAITING_MAX) {
          throw unavailable('Too many people sign in at this moment. Try again in a few seconds.');
        }
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      running += 1;
      try {
        return await work();
      } finally {
        next();
      }
    },
  };
}
