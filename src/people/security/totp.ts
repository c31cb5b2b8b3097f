/** The second factor: codes of an authenticator (RFC 6238), and backup codes. */
import { totpPlace } from '../rules/sealedPlaces.js';
import { randomInt } from 'node:crypto';
import { generateSecret, generateURI, verifySync } from 'otplib';
import type { PeopleDeps } from '../deps.js';
import type { PersonDoc, TotpDoc } from '../store/personDocs.js';

const ISSUER = 'Leadwire';
/** A phone's clock may be one step off. */
const TOLERANCE_SECONDS = 30;
const BACKUP_CODES = 10;
/** Without letters and digits that are easily confused: 10 of them carry 50 bits. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const BACKUP_LENGTH = 10;

export type SecondFactor = ReturnType<typeof createSecondFactor>;

export function createSecondFactor({ collections, keyring, clock }: PeopleDeps) {
  const { people } = collections;
  const hashOf = (code: string): string => keyring.claimHash(`backup code ${code}`);

  const stepOf = (secret: string, code: string, after: number): number | null => {
    if (!/^\d{6}$/.test(code)) return null;
    const epoch = Math.floor(Number(clock.now()) / 1_000);
    const found = verifySync({ secret, token: code, epoch, epochTolerance: TOLERANCE_SECONDS });
    if (!found.valid || !('timeStep' in found)) return null;
    return found.timeStep > after ? found.timeStep : null;
  };

  const takeCode = async (id: string, { secret, last_step }: TotpDoc, code: string) => {
    const step = stepOf(keyring.open(secret, totpPlace(id)), code, last_step);
    if (step === null) return false;
    const { matchedCount } = await people.updateOne(
      { _id: id, 'totp.secret.data': secret.data, 'totp.last_step': { $lt: step } },
      { $set: { 'totp.last_step': step } },
    );
    return matchedCount === 1;
  };

  return {
    begin(label: string): { secret: string; uri: string } {
      const secret = generateSecret();
      return { secret, uri: generateURI({ issuer: ISSUER, label, secret }) };
    },
    /** The step that a code belongs to; null for one that is wrong, or not later than `after`. */
    stepOf,
    /** Takes a code or a backup code, each once whatever number try at the same time. */
    async take({ _id, totp }: PersonDoc, typed: string): Promise<boolean> {
      const code = typed.toLowerCase().replace(/[\s-]/g, '');
      if (!totp) return false;
      if (code.length !== BACKUP_LENGTH) return takeCode(_id, totp, code);
      const hash = hashOf(code);
      const { modifiedCount } = await people.updateOne(
        { _id, 'totp.backup_codes': hash },
        { $pull: { 'totp.backup_codes': hash } },
      );
      return modifiedCount === 1;
    },
    newBackupCodes(): { codes: string[]; hashes: string[] } {
      const codes = Array.from({ length: BACKUP_CODES }, newBackupCode);
      return {
        codes: codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`),
        hashes: codes.map(hashOf),
      };
    },
  };
}

const newBackupCode = (): string =>
  Array.from({ length: BACKUP_LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
