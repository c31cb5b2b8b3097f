/** Decides whether a person may have a password: by its length, by how soon it is guessed, and by lists of stolen ones. */
import type { PeopleDeps } from '../deps.js';
import {
  checkLength,
  checkTyped,
  easyToGuess,
  knownToAttackers,
  ownWords,
} from '../rules/password.js';
import { cannotCheck, createGuesses } from './guesses.js';
import { asHashed } from './passwords.js';

/** Fewer can be made against the service itself, whose limits slow them down (zxcvbn's scores 0 to 2). */
const GUESSES_MIN = 1e8;

export function createPasswordPolicy(deps: Pick<PeopleDeps, 'breachedPasswords' | 'log'>) {
  const guesses = createGuesses(deps.log);
  return {
    /**
     * @param email whose it is
     * @throws {AppError} `validation_failed` on `password`; `unavailable` when it cannot be checked now
     */
    async check(typed: string, email: string): Promise<void> {
      checkTyped(typed);
      const password = asHashed(typed);
      checkLength(password);
      if ((await guesses.of(password, ownWords(email))) < GUESSES_MIN) throw easyToGuess();
      if (await isBreached(password, deps)) throw knownToAttackers();
    },
  };
}

async function isBreached(
  password: string,
  { breachedPasswords, log }: Pick<PeopleDeps, 'breachedPasswords' | 'log'>,
): Promise<boolean> {
  if (!breachedPasswords) return false;
  try {
    return await breachedPasswords.has(password);
  } catch (error) {
    log.warn({ err: error }, 'the list of stolen passwords could not be read');
    throw cannotCheck();
  }
}
