/**
 * How often passwords and codes may be guessed. A guessing stranger is locked out, not the owner of the account:
 * - each address has its tries, each address for each account, and for IPv6 each network of addresses;
 * - an account has a ceiling for all addresses together. Only tries from a place that never signed in to it count:
 *   it stops a guess from many addresses, while its owner's browsers and addresses go on;
 * - a browser that has signed in to the account is counted by itself alone, not with others who share its address;
 * - recovery by mail is counted apart, and opens a locked account.
 * Everything is counted for unknown accounts too, so that a lock reveals nothing. What strangers make this process write is
 * bounded: a locked address is known in memory, and all of them together have a budget, which is checked before the database.
 */
import { AppError } from '../../lib/errors.js';
import { addressGroup, networkGroup } from '../../platform/security/addressGroup.js';
import type { PeopleDeps } from '../deps.js';
import {
  forgetAttempts,
  giveAttemptBack,
  takeAttempt,
  type AttemptLimit,
} from '../store/attempts.js';
import type { From } from '../types.js';
import { createBudget, createLocks, type BudgetLimits } from './memoryLimits.js';
import { hashOfToken } from './tokens.js';
import { tooMany } from './turns.js';

const MINUTE_MS = 60_000;
const WINDOW_MS = 15 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;

const OF_ADDRESS: AttemptLimit = { tries: 20, windowMs: WINDOW_MS, lockMaxMs: 4 * HOUR_MS };
/** Of an IPv6 /48: a customer may have 65,536 networks that each count as an address. */
const OF_NETWORK: AttemptLimit = { tries: 100, windowMs: WINDOW_MS, lockMaxMs: HOUR_MS };
/** Of an account from an address, or from a browser that has signed in to it. */
const OF_ACCOUNT_HERE: AttemptLimit = { tries: 5, windowMs: WINDOW_MS, lockMaxMs: 4 * HOUR_MS };
/** Ten addresses' worth: more is a guess from many. */
const OF_ACCOUNT: AttemptLimit = { tries: 50, windowMs: WINDOW_MS, lockMaxMs: HOUR_MS };
/** A code has a million values, of which three are right at a time. */
const OF_CODES: AttemptLimit = { tries: 20, windowMs: WINDOW_MS, lockMaxMs: 4 * HOUR_MS };

interface RequestLimits {
  ofAddress: AttemptLimit;
  ofNetwork: AttemptLimit;
}

const REQUESTS: Record<'recovery' | 'provider', RequestLimits> = {
  recovery: {
    ofAddress: { tries: 20, windowMs: WINDOW_MS, lockMaxMs: HOUR_MS },
    ofNetwork: { tries: 100, windowMs: WINDOW_MS, lockMaxMs: HOUR_MS },
  },
  /** The people of an office share one address. */
  provider: {
    ofAddress: { tries: 300, windowMs: WINDOW_MS, lockMaxMs: WINDOW_MS },
    ofNetwork: { tries: 1_500, windowMs: WINDOW_MS, lockMaxMs: WINDOW_MS },
  },
};

export type Budgeted = 'password' | 'recovery' | 'provider';
/** Of all strangers together: a quarter of a processor's time for passwords, and at most some hundred MB of counts. */
const BUDGETS: Record<Budgeted, BudgetLimits> = {
  password: { atOnce: 300, perSecond: 5 },
  recovery: { atOnce: 100, perSecond: 2 },
  provider: { atOnce: 300, perSecond: 10 },
};

/** Of a lock that another process may lift: the owner of the account has set a new password there. */
const LIFTED_WITHIN_MS = 5_000;

const BY_MAIL = ', or set a new password with "Forgot your password?"';

export interface Guess {
  /** It comes from a browser that has signed in to the account. */
  isOwn: boolean;
  /** Its tries no longer count. */
  passed(): Promise<void>;
}

/** One count that a try is added to. */
interface Count {
  key: string;
  limit: AttemptLimit;
  /** The lock cannot be lifted before it ends. */
  isFirm: boolean;
}

export type Guard = ReturnType<typeof createGuard>;

export function createGuard(
  { collections, keyring, clock }: Pick<PeopleDeps, 'collections' | 'keyring' | 'clock'>,
  limits = BUDGETS,
) {
  const { attempts } = collections;
  const locks = createLocks(clock);
  const budgets = {
    password: createBudget(clock, limits.password),
    recovery: createBudget(clock, limits.recovery),
    provider: createBudget(clock, limits.provider),
  };
  const keyOf = (...parts: string[]): string =>
    keyring.claimHash(JSON.stringify(['sign-in', ...parts]));
  const deviceKey = ({ device }: From): string | null => {
    const hash = hashOfToken(device);
    return hash === null ? null : keyOf('device', hash);
  };
  /** Widest first. @param what of all sign-ins, or of the requests of a kind */
  const placesOfNet = (
    what: string,
    ip: string,
    { ofAddress, ofNetwork }: RequestLimits,
  ): Count[] => {
    const network = networkGroup(ip);
    const address = { key: keyOf(what, addressGroup(ip)), limit: ofAddress, isFirm: true };
    if (network === null) return [address];
    return [{ key: keyOf(what, network), limit: ofNetwork, isFirm: true }, address];
  };
  const placesOfGuess = (ip: string): Count[] =>
    placesOfNet('address', ip, { ofAddress: OF_ADDRESS, ofNetwork: OF_NETWORK });

  const requireUnlocked = (counts: readonly Count[], advice: string): void => {
    const leftMs = Math.max(0, ...counts.map(({ key }) => locks.leftMs(key)));
    if (leftMs > 0) throw locked(leftMs, advice);
  };

  /** Counts in all of them, or in none. */
  const take = async (counts: readonly Count[], advice: string) => {
    const taken: { key: string; at: Date }[] = [];
    const giveBack = () =>
      Promise.all(taken.map(({ key, at }) => giveAttemptBack(attempts, key, at)));
    for (const { key, limit, isFirm } of counts) {
      const attempt = await takeAttempt(attempts, key, limit);
      if (!attempt.allowed) {
        locks.remember(key, attempt.retryAfterMs, isFirm ? undefined : LIFTED_WITHIN_MS);
        await giveBack();
        throw locked(attempt.retryAfterMs, advice);
      }
      taken.push({ key, at: attempt.at });
    }
    return giveBack;
  };

  const forgetKey = async (key: string): Promise<void> => {
    locks.forget(key);
    await forgetAttempts(attempts, key);
  };

  return {
    /**
     * Lets a guess in, and counts it until it has passed.
     * @param what `password` and `code` are counted apart
     * @param account the address, or the id of a person
     * @param known the places that the person has signed in from
     * @throws {AppError} `rate_limited` with `retry_after`; `unavailable` when strangers try too much altogether
     */
    async enter(
      what: 'password' | 'code',
      account: string,
      from: From,
      known: readonly string[],
    ): Promise<Guess> {
      const advice = what === 'password' ? BY_MAIL : '';
      const device = deviceKey(from);
      const isOwn = device !== null && known.includes(device);
      const address = addressGroup(from.ip);
      const here: Count = {
        key: keyOf(what, account, isOwn ? device : address),
        limit: OF_ACCOUNT_HERE,
        isFirm: false,
      };
      const everywhere: Count = {
        key: keyOf(what, account),
        limit: what === 'code' ? OF_CODES : OF_ACCOUNT,
        isFirm: false,
      };
      const isKnown = isOwn || known.includes(keyOf('place', address));
      const ofStranger = [...placesOfGuess(from.ip), ...(isKnown ? [] : [everywhere])];
      const shared = isOwn ? [] : ofStranger;
      requireUnlocked([...shared, here], advice);
      if (what === 'password' && !isOwn && !budgets.password.take()) throw tooMany();
      const giveBack = await take([...shared, here], advice);
      return {
        isOwn,
        async passed() {
          await giveBack();
          await forgetKey(here.key);
        },
      };
    },
    /** Reads no database. @throws {AppError} `rate_limited` where only a browser that is known could be let in, and this is none */
    requireOpen(from: From): void {
      if (hashOfToken(from.device) === null) requireUnlocked(placesOfGuess(from.ip), BY_MAIL);
    },
    /** Forgets all tries for this account from that address and that browser. */
    async forget(what: 'password' | 'code', account: string, from: From): Promise<void> {
      const device = deviceKey(from);
      const places = [addressGroup(from.ip), ...(device === null ? [] : [device])];
      await Promise.all(places.map((place) => forgetKey(keyOf(what, account, place))));
    },
    /**
     * Counts a request that costs a mail, or an answer of a provider.
     * @throws {AppError} `rate_limited`; `unavailable` when there are too many altogether
     */
    async enterRequest(what: 'recovery' | 'provider', { ip }: From): Promise<void> {
      const counts = placesOfNet(what, ip, REQUESTS[what]);
      requireUnlocked(counts, '');
      if (!budgets[what].take()) throw tooMany();
      await take(counts, '');
    },
    /** What a place is remembered by: the browser's own token where it has one, and its address. */
    placesOf(from: From): string[] {
      const device = deviceKey(from);
      return [...(device === null ? [] : [device]), keyOf('place', addressGroup(from.ip))];
    },
  };
}

/** @param advice another remedy, as the rest of a sentence */
function locked(ms: number, advice: string): AppError {
  const retry_after = Math.max(1, Math.ceil(ms / 1_000));
  const minutes = Math.ceil(retry_after / 60);
  return new AppError('rate_limited', `Too many attempts. Try again in ${minutes} min${advice}.`, {
    retry_after,
  });
}
