/** Changes that people make to their account. */
import { totpPlace } from './rules/sealedPlaces.js';
import { AppError } from '../lib/errors.js';
import { endRecovery } from './recovery.js';
import { invalidField } from './rules/faults.js';
import { checkPersonName } from './rules/identity.js';
import { refuseOidc, requireFresh, type SignInParts, type SignIns } from './signIn.js';
import type { From, SignedIn } from './types.js';

interface AccountView {
  email: string;
  name: string;
  has_password: boolean;
  has_totp: boolean;
  backup_codes_left: number;
}

/** A person's own account. All but `view` and `rename` refuse a session by OIDC with `forbidden`. */
export function createAccounts(parts: SignInParts, signIns: SignIns) {
  const { deps, passwords, passwordPolicy, secondFactor, sessions } = parts;
  const { collections, keyring } = deps;
  const { people } = collections;

  return {
    async view(signedIn: SignedIn): Promise<AccountView> {
      const { email, name, password_hash, totp } = await signIns.personOf(signedIn);
      return {
        email,
        name,
        has_password: password_hash !== undefined,
        has_totp: totp !== undefined,
        backup_codes_left: totp?.backup_codes.length ?? 0,
      };
    },
    /** @throws {AppError} `validation_failed` */
    async rename({ person }: SignedIn, typed: string): Promise<void> {
      const name = checkPersonName(typed);
      await people.updateOne({ _id: person.id }, { $set: { name } });
    },
    /**
     * Ends every other session; this one continues with a new token.
     * @returns values of Set-Cookie
     * @throws {AppError} `validation_failed` with `details`, `unauthorized` for a wrong current password, `rate_limited`
     */
    async changePassword(
      signedIn: SignedIn,
      { current_password, password }: { current_password: string; password: string },
      from: From,
    ): Promise<readonly string[]> {
      refuseOidc(signedIn);
      const person = await signIns.personOf(signedIn);
      // The new session is fresh: without a code it would let a thief of the password turn the second factor off.
      if (person.totp) requireFresh(signedIn);
      await signIns.requirePassword(person, current_password, from);
      await passwordPolicy.check(password, person.email);
      const password_hash = await passwords.hash(password);
      const epoch = person.epoch + 1;
      const { matchedCount } = await people.updateOne(
        { _id: person._id, epoch: person.epoch },
        { $set: { password_hash, epoch } },
      );
      if (matchedCount === 0) throw changedMeanwhile();
      await sessions.endAll({ person_id: person._id });
      await endRecovery(collections, person._id);
      const { cookies } = await signIns.complete(
        { person: { ...person, epoch }, via: 'password' },
        from,
      );
      return cookies;
    },
    /** A new secret, which counts once a code of it is confirmed. @throws {AppError} `forbidden` unless fresh */
    async beginTotp(signedIn: SignedIn): Promise<{ secret: string; uri: string }> {
      requireFresh(signedIn);
      const begun = secondFactor.begin(signedIn.person.email);
      const { matchedCount } = await people.updateOne(
        { _id: signedIn.person.id, totp: { $exists: false } },
        { $set: { totp_begun: keyring.seal(begun.secret, totpPlace(signedIn.person.id)) } },
      );
      if (matchedCount === 0) {
        throw new AppError(
          'conflict',
          'Two-step sign-in is on. Turn it off before you set up another authenticator.',
        );
      }
      return begun;
    },
    /** @returns backup codes, shown once; every other session ends */
    async confirmTotp(signedIn: SignedIn, code: string): Promise<{ backup_codes: string[] }> {
      refuseOidc(signedIn);
      const { _id, epoch, totp_begun: secret } = await signIns.personOf(signedIn);
      if (!secret) throw new AppError('conflict', 'Start with a new secret first.');
      const last_step = secondFactor.stepOf(
        keyring.open(secret, totpPlace(_id)),
        code.replace(/\s/g, ''),
        0,
      );
      if (last_step === null) {
        throw invalidField(
          'code',
          'invalid',
          'code must be the six digits that the authenticator shows now.',
        );
      }
      const { codes, hashes } = secondFactor.newBackupCodes();
      const { matchedCount } = await people.updateOne(
        { _id, epoch, totp: { $exists: false }, 'totp_begun.data': secret.data },
        {
          $set: { totp: { secret, last_step, backup_codes: hashes }, epoch: epoch + 1 },
          $unset: { totp_begun: '' },
        },
      );
      if (matchedCount === 0) throw changedMeanwhile();
      await sessions.confirm(signedIn.session_id, _id, epoch + 1);
      await sessions.endAll({ person_id: _id, id: { $ne: signedIn.session_id } });
      return { backup_codes: codes };
    },
    /** @throws {AppError} `forbidden` unless fresh; `unauthorized` for a wrong code */
    async disableTotp(signedIn: SignedIn, code: string, from: From): Promise<void> {
      requireFresh(signedIn);
      const person = await signIns.personOf(signedIn);
      if (!person.totp) return;
      await signIns.requireCode(person, code, from);
      await people.updateOne({ _id: person._id }, { $unset: { totp: '' } });
    },
    /** Replaces all earlier ones. @throws {AppError} `forbidden` unless fresh; `conflict` without a second factor */
    async newBackupCodes(signedIn: SignedIn): Promise<{ backup_codes: string[] }> {
      requireFresh(signedIn);
      const { codes, hashes } = secondFactor.newBackupCodes();
      const { matchedCount } = await people.updateOne(
        { _id: signedIn.person.id, totp: { $exists: true } },
        { $set: { 'totp.backup_codes': hashes } },
      );
      if (matchedCount === 0) throw new AppError('conflict', 'There is no second factor yet.');
      return { backup_codes: codes };
    },
  };
}

const changedMeanwhile = (): AppError =>
  new AppError('conflict', 'The account was changed at the same time. Sign in again.');
