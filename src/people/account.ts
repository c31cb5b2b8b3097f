/** What people change of their own account. */
import { totpPlace } from './rules/sealedPlaces.js';
import { AppError } from '../lib/errors.js';
import type { People } from './people.js';
import { endRecovery } from './recovery.js';
import { invalidField } from './rules/faults.js';
import { checkPersonName } from './rules/identity.js';
import { refuseOidc, requireFresh, type SignInParts, type SignIns } from './signIn.js';

export function createAccounts(parts: SignInParts, signIns: SignIns): People['account'] {
  const { deps, passwords, passwordPolicy, secondFactor, sessions } = parts;
  const { collections, keyring } = deps;
  const { people } = collections;

  return {
    async view(signedIn) {
      const { email, name, password_hash, totp } = await signIns.personOf(signedIn);
      return {
        email,
        name,
        has_password: password_hash !== undefined,
        has_totp: totp !== undefined,
        backup_codes_left: totp?.backup_codes.length ?? 0,
      };
    },
    async rename({ person }, typed) {
      const name = checkPersonName(typed);
      await people.updateOne({ _id: person.id }, { $set: { name } });
    },
    async changePassword(signedIn, { current_password, password }, from) {
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
    async beginTotp(signedIn) {
      refuseOidc(signedIn);
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
    async confirmTotp(signedIn, code) {
      refuseOidc(signedIn);
      const { _id, epoch, totp_begun: secret } = await signIns.personOf(signedIn);
      if (!secret) throw new AppError('conflict', 'Begin with a new secret first.');
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
    async disableTotp(signedIn, code, from) {
      refuseOidc(signedIn);
      requireFresh(signedIn);
      const person = await signIns.personOf(signedIn);
      if (!person.totp) return;
      await signIns.requireCode(person, code, from);
      await people.updateOne({ _id: person._id }, { $unset: { totp: '' } });
    },
    async newBackupCodes(signedIn) {
      refuseOidc(signedIn);
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
