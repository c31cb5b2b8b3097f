/**
 * How often passwords and codes may be guessed. A guessing stranger is locked out, not the owner of the account:
 * - each address has its tries, and each address for each account;
 * - an account has a ceiling for all addresses together. Only tries from a place that never signed in to it count:
 *   it stops a guess from many addresses, while its owner's browsers and addresses go on;
 * - recovery by mail is counted apart, and opens a locked account.
 * Everything is counted for unknown accounts too, so that a lock reveals nothing.
 */
import { AppError } from '../../lib/errors.js';
import { addressGroup } from '../../platform/security/addressGroup.js';
import type { PeopleDeps } from '../deps.js';
import {
  forgetAttempts,
  giveAttemptBack,
  takeAttempt,
  type AttemptLimit,
} from '../store/attempts.js';
import type { From } from '../types.js';
import { hashOfToken } from './tokens.js';

const MINUTE_MS = 60_000;
const WINDOW_MS = 15 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;

const OF_ADDRESS: AttemptLimit = { tries: 20, windowMs: WINDOW_MS, lockMaxMs: 4 * HOUR_MS };
const OF_ACCOUNT_AT_ADDRESS: AttemptLimit = {
  tries: 5,
  windowMs: WINDOW_MS,
  lockMaxMs: 4 * HOUR_MS,
};
/** Ten addresses' worth: more is a guess from many. */
const OF_ACCOUNT: AttemptLimit = { tries: 50, windowMs: WINDOW_MS, lockMaxMs: HOUR_MS };
/** A code has a million values, of which three are right at a time. */
const OF_CODES: AttemptLimit = { tries: 20, windowMs: WINDOW_MS, lockMaxMs: 4 * HOUR_MS };
const OF_RECOVERY: AttemptLimit = { tries: 20, windowMs: WINDOW_MS, lockMaxMs: HOUR_MS };

/** The people of an office share one address. */
const OF_PROVIDER: AttemptLimit = { tries: 300, windowMs: WINDOW_MS, lockMaxMs: WINDOW_MS };

const BY_MAIL = ', or set a new password with "Forgot your password?"';

export interface Guess {
  /** Its tries no longer count. */
  passed(): Promise<void>;
}

export interface Guard {
  /**
   * Lets a guess in, and counts it until it has passed.
   * @param what `password` and `code` are counted apart
   * @param account the address, or the id of a person
   * @throws {AppError} `rate_limited` with `retry_after`
   */
  enter(what: 'password' | 'code', account: string, from: From, isKnown: boolean): Promise<Guess>;
  /** Forgets all tries for this account from that address. */
  forget(what: 'password' | 'code', account: string, from: From): Promise<void>;
  /** Counts a request that costs a mail, or an answer of a provider. @throws {AppError} `rate_limited` */
  enterRequest(what: 'recovery' | 'provider', from: From): Promise<void>;
  /** What a place is remembered by: the browser's own token where it has one, and its address. */
  placesOf(from: From): string[];
}

export function createGuard({ collections, keyring }: PeopleDeps): Guard {
  const { attempts } = collections;
  const keyOf = (...parts: string[]): string =>
    keyring.claimHash(JSON.stringify(['sign-in', ...parts]));

  const take = async (key: string, limit: AttemptLimit, advice = ''): Promise<Date> => {
    const attempt = await takeAttempt(attempts, key, limit);
    if (attempt.allowed) return attempt.at;
    throw locked(attempt.retryAfterMs, advice);
  };

  return {
    async enter(what, account, { ip }, isKnown) {
      const address = addressGroup(ip);
      const advice = what === 'password' ? BY_MAIL : '';
      const taken: { key: string; at: Date }[] = [];
      const count = async (key: string, limit: AttemptLimit): Promise<void> => {
        taken.push({ key, at: await take(key, limit, advice) });
      };
      const own = keyOf(what, account, address);
      await take(own, OF_ACCOUNT_AT_ADDRESS, advice);
      await count(keyOf('address', address), OF_ADDRESS);
      if (!isKnown) {
        await count(keyOf(what, account), what === 'code' ? OF_CODES : OF_ACCOUNT);
      }
      return {
        async passed() {
          await Promise.all([
            forgetAttempts(attempts, own),
            ...taken.map(({ key, at }) => giveAttemptBack(attempts, key, at)),
          ]);
        },
      };
    },
    forget: (what, account, { ip }) =>
      forgetAttempts(attempts, keyOf(what, account, addressGroup(ip))),
    async enterRequest(what, { ip }) {
      await take(keyOf(what, addressGroup(ip)), what === 'recovery' ? OF_RECOVERY : OF_PROVIDER);
    },
    placesOf({ ip, device }) {
      const hash = hashOfToken(device);
      return [...(hash === null ? [] : [keyOf('device', hash)]), keyOf('place', addressGroup(ip))];
    },
  };
}

/** @param advice what else helps, as the rest of a sentence */
function locked(ms: number, advice: string): AppError {
  const retry_after = Math.max(1, Math.ceil(ms / 1_000));
  const minutes = Math.ceil(retry_after / 60);
  return new AppError('rate_limited', `Too many tries. Try again in ${minutes} min${advice}.`, {
    retry_after,
  });
}
