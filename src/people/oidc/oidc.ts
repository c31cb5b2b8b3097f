/** Signing in by an organization's provider: authorization code with PKCE, state and nonce (OpenID Connect Core, 3.1). */
import { codeVerifierPlace } from '../rules/sealedPlaces.js';
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
} from 'openid-client';
import { AppError } from '../../lib/errors.js';
import { linkIsOver } from '../links/links.js';
import { cookie, clearedCookie } from '../security/cookies.js';
import { hashOfToken, hashToken, newToken } from '../security/tokens.js';
import { refuseOidc, type SignInParts, type SignIns } from '../signIn.js';
import type { OidcFlowDoc, OidcSettingsDoc } from '../store/oidcDocs.js';
import { createOidcArrivals, type Subject } from './arrivals.js';
import { createProviders } from './provider.js';
import { createOidcSettings } from './settings.js';
import { OIDC_COOKIE, type Oidc } from './types.js';

const FLOW_MS = 10 * 60_000;
const CALLBACK = '/oidc/callback';
const HOME = '/choose';
/** A path of this site: no other host, and nothing that ends a header. */
const LOCAL_PATH = /^\/(?![/\\])[\x21-\x7e]{0,500}$/;

export function createOidc(parts: SignInParts, signIns: SignIns): Oidc {
  const { deps, guard } = parts;
  const { collections, keyring, clock } = deps;
  const { oidcFlows, accessLinks } = collections;
  const settings = createOidcSettings(deps);
  const providers = createProviders(deps);
  const arrivals = createOidcArrivals(deps);
  const callback = (): string => `${deps.baseUrl().replace(/\/$/, '')}${CALLBACK}`;

  const enabled = async (orgId: string): Promise<OidcSettingsDoc> => {
    const found = await settings.read(orgId);
    if (found?.is_enabled) return found;
    throw new AppError('not_found', 'This organization has no sign-in of its own.');
  };

  const inviteHash = async (orgId: string, token: string | undefined) => {
    if (token === undefined) return {};
    const _id = hashOfToken(token);
    const link = _id === null ? null : await accessLinks.findOne({ _id, org_id: orgId });
    if (link?.kind !== 'invite') throw linkIsOver();
    return { invite: link._id };
  };

  /** Used once: a second request with the same answer finds no flow. */
  const takeFlow = async (query: URLSearchParams, binding: string | undefined) => {
    const state = hashOfToken(query.get('state') ?? undefined);
    const bound = hashOfToken(binding);
    const flow =
      state === null || bound === null
        ? null
        : await oidcFlows.findOneAndDelete({ _id: state, binding: bound });
    if (flow && flow.expires_at > clock.now()) return flow;
    throw new AppError(
      'unauthorized',
      'The sign-in took too long, or was used already. Begin again.',
    );
  };

  const askProvider = async (flow: OidcFlowDoc, query: URLSearchParams): Promise<Subject> => {
    const config = await providers.open(await enabled(flow.org_id));
    const url = new URL(callback());
    url.search = query.toString();
    try {
      const tokens = await authorizationCodeGrant(config, url, {
        pkceCodeVerifier: keyring.open(flow.code_verifier, codeVerifierPlace(flow._id)),
        expectedNonce: flow.nonce,
        expectedState: query.get('state') ?? '',
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new Error('The provider gave no ID token.');
      const { iss: issuer, sub: subject, name } = claims;
      return { issuer, subject, name: typeof name === 'string' ? name : '' };
    } catch (cause) {
      throw new AppError('unauthorized', "The organization's sign-in was not completed.", {
        cause,
      });
    }
  };

  return {
    settings: (orgId) => settings.settings(orgId),
    configure: (orgId, given) => settings.configure(orgId, given),
    async start(orgId, { invite, link, return_to = HOME }, from) {
      await guard.enterRequest('provider', from);
      const provider = await enabled(orgId);
      if (link) refuseOidc(link);
      const accepting = await inviteHash(orgId, invite);
      const config = await providers.open(provider);
      const [state, binding, nonce] = [newToken(), newToken(), randomNonce()];
      const verifier = randomPKCECodeVerifier();
      const now = clock.now();
      await oidcFlows.insertOne({
        _id: hashToken(state),
        org_id: orgId,
        binding: hashToken(binding),
        nonce,
        code_verifier: keyring.seal(verifier, codeVerifierPlace(hashToken(state))),
        ...accepting,
        ...(link ? { link_person_id: link.person.id } : {}),
        return_to: LOCAL_PATH.test(return_to) ? return_to : HOME,
        created_at: now,
        expires_at: new Date(Number(now) + FLOW_MS),
      });
      const url = buildAuthorizationUrl(config, {
        redirect_uri: callback(),
        scope: 'openid profile',
        response_type: 'code',
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      });
      return { url: url.href, cookies: [cookie(OIDC_COOKIE, binding, FLOW_MS / 1_000)] };
    },
    async finish(query, binding, from) {
      const flow = await takeFlow(query, binding);
      const person = await arrivals.personOf(flow, await askProvider(flow, query));
      const { return_to } = flow;
      const cleared = clearedCookie(OIDC_COOKIE);
      // A person who links the provider to an account is signed in already, and stays so.
      if (flow.link_person_id !== undefined) {
        return { state: 'signed_in', cookies: [cleared], return_to };
      }
      const begun = await signIns.complete({ person, via: 'oidc', oidc_org_id: flow.org_id }, from);
      return { ...begun, cookies: [...begun.cookies, cleared], return_to };
    },
  };
}
