/** Hashes of passwords: argon2id, a few at a time. */
import { hash, verify } from '@node-rs/argon2';
import { newToken } from './tokens.js';
import { createTurns } from './turns.js';

/** What one hash costs. No setting of the installation changes it. */
export interface PasswordCost {
  /** In KiB. */
  memoryCost: number;
  /** Passes over that memory. */
  timeCost: number;
}

/** OWASP's first choice of argon2id: 19 MiB, 2 passes; 42-55 ms on one core. */
const REAL_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 };
/** The library's id of argon2id. */
const ARGON2ID = 2;
/** More would occupy every thread of the pool that also resolves host names. */
const AT_ONCE = 2;
/** Some seconds' work: of people whose browser is known, and of all others. */
const WAITING_MAX = 50;

/** @param cost of new hashes; each hash names its cost, so hashes of another cost are verified too */
export function createPasswords(cost = REAL_COST) {
  const options = { algorithm: ARGON2ID, parallelism: 1, ...cost };
  const turns = createTurns({ atOnce: AT_ONCE, waitingMax: WAITING_MAX });
  let unknown: Promise<string> | undefined;
  /** Not kept when too many wait: then unknown addresses could be told from known ones. */
  const makeUnknown = (goesFirst: boolean): Promise<string> =>
    turns
      .take(() => hash(newToken(), options), goesFirst)
      .catch((error: unknown) => {
        unknown = undefined;
        throw error;
      });
  return {
    /** @throws {AppError} `unavailable` when too many wait */
    hash: (password: string): Promise<string> =>
      turns.take(() => hash(asHashed(password), options), true),
    /**
     * Whether it is the password of this hash. Without a hash it takes as long, and is not.
     * @param goesFirst before those who wait without it
     * @throws {AppError} `unavailable` when too many wait
     */
    async verify(
      stored: string | undefined,
      password: string,
      goesFirst = false,
    ): Promise<boolean> {
      const compared = stored ?? (await (unknown ??= makeUnknown(goesFirst)));
      const isRight = await turns.take(() => verify(compared, asHashed(password)), goesFirst);
      return stored !== undefined && isRight;
    },
  };
}

/** One text, however a keyboard composes it (NIST SP 800-63B, 3.1.1.2). */
export const asHashed = (password: string): string => password.normalize('NFKC');
