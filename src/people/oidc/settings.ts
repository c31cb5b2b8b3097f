/** The sign-in that an organization has set up: its provider, and what this installation is called there. */
import { clientSecretPlace } from '../rules/sealedPlaces.js';
import { checkOutboundUrl } from '../../platform/outbound/http.js';
import { AppError } from '../../lib/errors.js';
import { retryOnConflict } from '../../lib/retry.js';
import { isDuplicateKey } from '../../platform/mongo/databaseErrors.js';
import type { Filter } from 'mongodb';
import type { PeopleDeps } from '../deps.js';
import { invalidField } from '../rules/faults.js';
import type { OidcSettingsDoc } from '../store/oidcDocs.js';
import type { Providers } from './provider.js';

export interface OidcSettings {
  issuer: string;
  client_id: string;
  is_enabled: boolean;
}

const TEXT_MAX = 500;

export function createOidcSettings(deps: PeopleDeps, providers: Pick<Providers, 'check'>) {
  const { collections, keyring, clock, allowPrivate } = deps;
  const { oidcSettings, sessions } = collections;
  const read = (orgId: string) => oidcSettings.findOne({ _id: orgId });

  /** Replaces only the settings that were read: during the request to the provider, another caller may set a new secret. */
  const store = async (doc: OidcSettingsDoc, earlier: OidcSettingsDoc | null): Promise<void> => {
    const { _id } = doc;
    const conflict = () =>
      new AppError('version_conflict', 'The settings were changed at the same time.');
    if (!earlier) {
      await oidcSettings.insertOne(doc).catch((error: unknown) => {
        throw isDuplicateKey(error) ? conflict() : error;
      });
      return;
    }
    const { issuer, client_secret = null, updated_at } = earlier;
    const asRead = {
      _id,
      issuer,
      updated_at,
      client_secret: { $eq: client_secret },
    } as Filter<OidcSettingsDoc>;
    const { matchedCount } = await oidcSettings.replaceOne(asRead, doc);
    if (matchedCount === 0) throw conflict();
  };

  return {
    read,
    /** Null: the organization has none. The secret is never shown. */
    async settings(orgId: string): Promise<OidcSettings | null> {
      const doc = await read(orgId);
      return doc && shown(doc);
    },
    /**
     * @param input null removes the settings, and ends their sessions
     * @throws {AppError} `validation_failed` with `details`, for a provider that cannot be used too, unless it is not enabled;
     * `conflict` when another change came between
     */
    async configure(
      orgId: string,
      input: (OidcSettings & { client_secret?: string }) | null,
    ): Promise<OidcSettings | null> {
      if (input === null) {
        await oidcSettings.deleteOne({ _id: orgId });
        await sessions.deleteMany({ oidc_org_id: orgId });
        return null;
      }
      const issuer = checkIssuer(input.issuer, allowPrivate);
      const client_id = checkText('client_id', input.client_id);
      const secret = input.client_secret;
      const newSecret =
        secret === undefined
          ? undefined
          : keyring.seal(checkText('client_secret', secret), clientSecretPlace(orgId));
      const { doc, earlier } = await retryOnConflict(async () => {
        const earlier = await read(orgId);
        // The secret of one provider is never sent to another.
        const kept = earlier?.issuer === issuer ? earlier.client_secret : undefined;
        const client_secret = newSecret ?? kept;
        const doc: OidcSettingsDoc = {
          _id: orgId,
          issuer,
          client_id,
          client_secret,
          is_enabled: input.is_enabled,
          updated_at: clock.now(),
        };
        // Disabled settings sign no person in: an organization can disable them while its provider is unreachable.
        if (doc.is_enabled) await providers.check(doc);
        await store(doc, earlier);
        return { doc, earlier };
      });
      if (!doc.is_enabled || (earlier && earlier.issuer !== issuer)) {
        await sessions.deleteMany({ oidc_org_id: orgId });
      }
      return shown(doc);
    },
  };
}

const shown = ({ issuer, client_id, is_enabled }: OidcSettingsDoc): OidcSettings => ({
  issuer,
  client_id,
  is_enabled,
});

function checkIssuer(text: string, allowPrivate: boolean): string {
  const fault =
    checkOutboundUrl(text, { allowPrivate }) ??
    (allowPrivate || text.startsWith('https://') ? null : 'must begin with https://');
  if (fault !== null) throw invalidField('issuer', 'invalid_format', `issuer ${fault}.`);
  return checkText('issuer', text);
}

function checkText(field: string, text: string): string {
  if (text === '') throw invalidField(field, 'required', `${field} must not be empty.`);
  if (text.length <= TEXT_MAX) return text;
  throw invalidField(field, 'too_long', `${field} must have at most ${TEXT_MAX} characters.`);
}
