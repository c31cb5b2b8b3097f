/** Signing in: the password, then the second factor where there is one. No answer reveals whether an address is known. */
import { AppError } from '../lib/errors.js';
import { normalizeEmail } from '../fields/normalize.js';
import { addressOf } from './rules/identity.js';
import type { PeopleDeps } from './deps.js';
import { clearedCookie, cookie } from './security/cookies.js';
import { TYPED_MAX } from './rules/password.js';
import type { Guard } from './security/guard.js';
import type { createPasswordPolicy } from './security/passwordPolicy.js';
import type { createPasswords } from './security/passwords.js';
import { hashOfToken, newToken } from './security/tokens.js';
import type { SecondFactor } from './security/totp.js';
import type { Begin, Sessions } from './sessions/sessions.js';
import { findByEmail } from './store/findByEmail.js';
import type { PersonDoc } from './store/personDocs.js';
import {
  DEVICE_COOKIE,
  SESSION_COOKIE,
  type From,
  type SignedIn,
  type SignInResult,
} from './types.js';

export interface SignInParts {
  deps: PeopleDeps;
  guard: Guard;
  passwords: ReturnType<typeof createPasswords>;
  passwordPolicy: ReturnType<typeof createPasswordPolicy>;
  secondFactor: SecondFactor;
  sessions: Sessions;
}

const DEVICE_SECONDS = 400 * 86_400;
const PLACES_MAX = 20;
const EMAIL_MAX = 254;

export type SignIns = ReturnType<typeof createSignIns>;

export function createSignIns(parts: SignInParts) {
  const { deps, guard, passwords, secondFactor, sessions } = parts;
  const { people } = deps.collections;

  const checkPassword = async (
    email: string,
    person: PersonDoc | null,
    password: string,
    from: From,
  ): Promise<boolean> => {
    const guess = await guard.enter('password', addressOf(email), from, person?.known ?? []);
    const isTooLong = password.length > TYPED_MAX;
    const stored = isTooLong ? undefined : person?.password_hash;
    const isRight = await passwords.verify(stored, isTooLong ? '' : password, guess.isOwn);
    if (isRight) await guess.passed();
    return isRight;
  };

  /** @throws {AppError} `unauthorized` for a code that is wrong or used; `rate_limited` */
  const requireCode = async (person: PersonDoc, code: string, from: From): Promise<void> => {
    const guess = await guard.enter('code', person._id, from, person.known ?? []);
    if (!(await secondFactor.take(person, code))) throw wrongCode();
    await guess.passed();
  };

  const remember = async (personId: string, from: From): Promise<void> => {
    const places = guard.placesOf(from);
    const others = {
      $filter: { input: { $ifNull: ['$known', []] }, cond: { $not: { $in: ['$$this', places] } } },
    };
    await people.updateOne({ _id: personId }, [
      { $set: { known: { $slice: [{ $concatArrays: [others, places] }, -PLACES_MAX] } } },
    ]);
  };

  /** Begins a session of an authenticated person, and remembers the place. */
  const complete = async (what: Begin, from: From): Promise<SignInResult> => {
    const isNewDevice = hashOfToken(from.device) === null;
    const device = isNewDevice ? newToken() : from.device;
    await remember(what.person._id, { ...from, device });
    const cookies = [await sessions.begin(what, from)];
    if (isNewDevice && device) cookies.push(cookie(DEVICE_COOKIE, device, DEVICE_SECONDS));
    return { state: 'signed_in', cookies };
  };

  /** The same after a password or a link: a person with a second factor still has to show it. */
  const afterPassword = async (person: PersonDoc, from: From): Promise<SignInResult> => {
    if (!person.totp) return complete({ person, via: 'password' }, from);
    const waiting = await sessions.begin({ person, via: 'password', is_waiting: true }, from);
    return { state: 'code_needed', cookies: [waiting] };
  };

  /** @throws {AppError} `unauthorized` when the person is gone */
  const personOf = async ({ person: { id } }: SignedIn): Promise<PersonDoc> => {
    const person = await people.findOne({ _id: id });
    if (person) return person;
    throw new AppError('unauthorized', 'The session has ended. Sign in again.');
  };

  return {
    complete,
    afterPassword,
    requireCode,
    personOf,
    /**
     * Whether it is this person's password.
     * @throws {AppError} `unauthorized`, `rate_limited`
     */
    async requirePassword(person: PersonDoc, password: string, from: From): Promise<void> {
      if (!(await checkPassword(person.email, person, password, from))) throw wrongPassword();
    },
    /** What browsers ask for. */
    entry: {
      /**
       * @throws {AppError} `unauthorized`, the same for an unknown address as for a wrong password; `rate_limited` with
       * `retry_after`, known address or not
       */
      async signIn(
        { email: typed, password }: { email: string; password: string },
        from: From,
      ): Promise<SignInResult> {
        guard.requireOpen(from);
        const email = normalizeEmail(typed) ?? typed.trim().toLowerCase().slice(0, EMAIL_MAX);
        const person = await findByEmail(people, normalizeEmail(typed) === null ? email : typed);
        const isRight = await checkPassword(email, person, password, from);
        if (!isRight || !person) {
          throw new AppError('unauthorized', 'The email address or password is incorrect.');
        }
        return afterPassword(person, from);
      },
      /** Whether the token's sign-in waits for a code. */
      async isCodeNeeded(token: string | undefined): Promise<boolean> {
        return (await sessions.readWaiting(token)) !== null;
      },
      /**
       * @param code six digits of the authenticator, or a backup code
       * @throws {AppError} `unauthorized` for a wrong or used code, or no sign-in that waits; `rate_limited`
       */
      async secondFactor(
        token: string | undefined,
        code: string,
        from: From,
      ): Promise<SignInResult> {
        const waiting = await sessions.readWaiting(token);
        if (!waiting) {
          throw new AppError(
            'unauthorized',
            'The sign-in took too long or has ended. Start again.',
          );
        }
        const { doc, person } = waiting;
        await requireCode(person, code, from);
        if (!(await sessions.end({ _id: doc._id }))) throw wrongCode();
        return complete({ person, via: 'password' }, from);
      },
      /** Ends the session, or the sign-in that waits. @returns the values of Set-Cookie that clear it */
      async signOut(token: string | undefined): Promise<readonly string[]> {
        await sessions.endByToken(token);
        return [clearedCookie(SESSION_COOKIE)];
      },
      /**
       * Makes this session fresh for 15 minutes, by the password, or a code where the second factor is on.
       * @throws {AppError} `unauthorized`, `rate_limited`; `forbidden` in a session by OIDC, which signs in again instead
       */
      async confirmFresh(
        signedIn: SignedIn,
        { password, code }: { password?: string; code?: string },
        from: From,
      ): Promise<void> {
        refuseOidc(signedIn);
        const person = await personOf(signedIn);
        // With the password alone, its thief could replace the second factor.
        if (person.totp) await requireCode(person, code ?? '', from);
        else if (!(await checkPassword(person.email, person, password ?? '', from))) {
          throw wrongPassword();
        }
        await sessions.confirm(signedIn.session_id, person._id);
      },
    },
  };
}

/** @throws {AppError} `forbidden` in a session by an organization's provider: it vouches for one organization only */
export function refuseOidc({ via }: SignedIn): void {
  if (via !== 'oidc') return;
  throw new AppError(
    'forbidden',
    'You signed in with your organization. Sign in with email and password for this.',
  );
}

/** @throws {AppError} as `refuseOidc`; `forbidden` unless the person signed in or confirmed it within the last 15 minutes */
export function requireFresh(signedIn: SignedIn): void {
  refuseOidc(signedIn);
  if (signedIn.is_fresh) return;
  throw new AppError(
    'forbidden',
    'Confirm your identity first, with your password or, if two-step sign-in is on, with a code.',
  );
}

const wrongPassword = (): AppError => new AppError('unauthorized', 'The password is incorrect.');

const wrongCode = (): AppError =>
  new AppError('unauthorized', 'The code is incorrect or was already used. Wait for the next one.');
