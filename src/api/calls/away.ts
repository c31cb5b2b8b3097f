/** Which part of the installation does not answer, where a call could not be carried out. */
import { AppError, type ErrorExtras } from '../../lib/errors.js';
import { isUnanswered, isUnreached } from '../../platform/temporal/temporalErrors.js';
import type { SystemState } from '../actions/schemas/system.js';

export interface AwayDeps {
  system: () => Promise<Pick<SystemState, 'parts'>>;
}

const TEMPORAL_AWAY = 'Temporal, which runs the work, does not answer now.';

/** In the order in which one explains the next: without Temporal no worker is found either. */
const AWAY: readonly (readonly [part: string, sentence: string])[] = [
  ['mongodb', 'The database (MongoDB) does not answer now.'],
  ['temporal', TEMPORAL_AWAY],
  ['workers', 'No worker runs now.'],
];

/** A sentence that names what does not answer now; null: everything does. Never rejects. */
export async function whatIsAway({ system }: AwayDeps): Promise<string | null> {
  const { parts } = await system().catch(() => ({ parts: [] }));
  const away = new Set(parts.filter(({ state }) => state === 'error').map(({ name }) => name));
  return AWAY.find(([part]) => away.has(part))?.[1] ?? null;
}

/**
 * For `catch`, around the work of a call: where that failed because something does not answer, its refusal says which.
 * @throws {AppError} `unavailable` or `outcome_unknown`, naming it; every other error unchanged
 */
export const namingAway =
  (deps: AwayDeps) =>
  async (error: unknown): Promise<never> => {
    // The connection may have broken after Temporal took the work.
    if (isUnreached(error) || isUnanswered(error))
      throw unknown(TEMPORAL_AWAY, { retry_after: 5, cause: error });
    if (!(error instanceof AppError) || !MAY_BE_AWAY.has(error.code) || isNamed(error)) throw error;
    const away = await whatIsAway(deps);
    if (away === null) throw error;
    const { code, message, extras } = error;
    if (code === 'outcome_unknown') throw unknown(away, extras);
    throw new AppError(code, `${message} ${away}`, extras);
  };

const MAY_BE_AWAY: ReadonlySet<string> = new Set(['unavailable', 'outcome_unknown']);

const isNamed = ({ message }: AppError): boolean =>
  AWAY.some(([, sentence]) => message.includes(sentence));

/** In place of the refusal's own words, which may promise that the work goes on. */
const unknown = (away: string, extras: ErrorExtras): AppError =>
  new AppError(
    'outcome_unknown',
    `${away} Whether this was done is unknown: check the current state, and repeat it if it was not.`,
    extras,
  );
