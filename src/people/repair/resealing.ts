/** Sealed values of people and identity providers: each is sealed again, bound to its place, under the current secret. */
import { replaceSealed, sealed } from '../../platform/mongo/resealing.js';
import { stageOf, type Stage } from '../../platform/mongo/stagedRepair.js';
import type { Keyring } from '../../platform/security/seal.js';
import { clientSecretPlace, totpPlace } from '../rules/sealedPlaces.js';
import type { PeopleCollections } from '../store/collections.js';

interface Deps {
  collections: Pick<PeopleCollections, 'people' | 'oidcSettings'>;
  keyring: Keyring;
}

/** A sign-in under way ends within minutes: what is sealed of it stays as it is. */
export const peopleStages = ({ collections, keyring }: Deps): Stage[] => {
  const { people, oidcSettings } = collections;
  return [
    stageOf(people, { totp: 1, totp_begun: 1 }, ({ _id, totp, totp_begun }) =>
      replaceSealed(people, _id, [
        ...sealed('totp.secret', totp?.secret, totpPlace(_id), keyring),
        ...sealed('totp_begun', totp_begun, totpPlace(_id), keyring),
      ]),
    ),
    stageOf(oidcSettings, { client_secret: 1 }, ({ _id, client_secret: secret }) =>
      replaceSealed(
        oidcSettings,
        _id,
        sealed('client_secret', secret, clientSecretPlace(_id), keyring),
      ),
    ),
  ];
};
