/** Links that can be used once. Opening one reads it; using it is one conditional write. */
import type { ClientSession } from 'mongodb';
import { AppError } from '../../lib/errors.js';
import type { PeopleDeps } from '../deps.js';
import { hashOfToken, hashToken, newToken } from '../security/tokens.js';
import type { LinkDoc } from '../store/linkDoc.js';

const HOUR_MS = 3_600_000;

/** How long links of each kind can be used. */
export const VALID_MS: Record<LinkDoc['kind'], number> = {
  invite: 7 * 24 * HOUR_MS,
  recovery: HOUR_MS / 2,
  setup: 24 * HOUR_MS,
  console: HOUR_MS / 2,
};

/** A new token, and the fields that a link of any kind is stored with. */
export function newLink<K extends LinkDoc['kind']>(kind: K, now: Date) {
  const token = newToken();
  const expires_at = new Date(Number(now) + VALID_MS[kind]);
  return { token, link: { _id: hashToken(token), kind, created_at: now, expires_at } };
}

export function createLinks({
  collections: { accessLinks },
  clock,
}: Pick<PeopleDeps, 'collections' | 'clock'>) {
  const usable = () => ({ used_at: { $exists: false }, expires_at: { $gt: clock.now() } });
  return {
    /** Null for a link that is used, over or none. */
    read: async (token: string): Promise<LinkDoc | null> => {
      const _id = hashOfToken(token);
      return _id === null ? null : accessLinks.findOne({ _id, ...usable() });
    },
    /**
     * Uses it, as a part of what it is used for.
     * @throws {AppError} `not_found` when another request used it first
     */
    async use({ _id }: LinkDoc, session: ClientSession): Promise<void> {
      const { matchedCount } = await accessLinks.updateOne(
        { _id, ...usable() },
        { $set: { used_at: clock.now() } },
        { session },
      );
      if (matchedCount === 0) throw linkIsOver();
    },
  };
}

/** The same for a link that was used, is over, or never was. */
export const linkIsOver = (): AppError =>
  new AppError('not_found', 'This link was already used or has expired. Request a new one.');

/** @param base with a slash at its end, or without one */
export const linkUrl = (
  base: string,
  path: 'invite' | 'recover' | 'setup' | 'enter',
  token: string,
): string => `${base.replace(/\/$/, '')}/${path}/${token}`;
