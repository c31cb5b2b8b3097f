/** Signing in by an organization's provider: authorization code with PKCE, state and nonce (OpenID Connect Core, 3.1). */
import { codeVerifierPlace } from '../rules/sealedPlaces.js';
import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
} from 'openid-client';
import { AppError } from '../../lib/errors.js';
import { linkIsOver } from '../links/links.js';
import { cookie, clearedCookie } from '../security/cookies.js';
import { hashOfToken, hashToken, newToken } from '../security/tokens.js';
import { SESSION_LIFE_MS } from '../sessions/sessions.js';
import { requireFresh, type SignInParts, type SignIns } from '../signIn.js';
import type { OidcFlowDoc, OidcSettingsDoc } from '../store/oidcDocs.js';
import { createOidcArrivals, unknownPerson, type Subject } from './arrivals.js';
import { createIdentities } from './identities.js';
import { createProviders } from './provider.js';
import { createOidcSettings } from './settings.js';
import { OIDC_COOKIE, type From, type SignedIn, type SignInResult } from '../types.js';

export interface OidcStart {
  /** Where to send the browser. */
  url: string;
  /** Values of Set-Cookie: the state is bound to this browser. */
  cookies: readonly string[];
}

interface OidcFinish extends SignInResult {
  /** The page of this site that the sign-in was begun for. */
  return_to: string;
  /** The provider was connected to an account; no session began. */
  is_link: boolean;
}

const FLOW_MS = 10 * 60_000;
const CALLBACK = '/oidc/callback';
const HOME = '/choose';
/**
 * How long ago the person may have signed in there. It is always requested, because only then must the provider state when
 * that was (OpenID Connect Core, 3.1.2.1): whether the session is fresh relies on it.
 */
const SIGNED_IN_WITHIN_SECONDS = SESSION_LIFE_MS / 1_000;
/** Of a person who confirms it: just now. */
const CONFIRMED_WITHIN_SECONDS = 60;
/** Of a provider that does not say when: a session that is not fresh. */
const LONG_AGO = new Date(0);
/** A path of this site: no other host, and nothing that ends a header. */
const LOCAL_PATH = /^\/(?![/\\])[\x21-\x7e]{0,500}$/;

export type Oidc = ReturnType<typeof createOidc>;

export function createOidc(parts: SignInParts, signIns: SignIns) {
  const { deps, guard, sessions } = parts;
  const { collections, keyring, clock } = deps;
  const { oidcFlows, accessLinks } = collections;
  const providers = createProviders(deps);
  const { read, ...settings } = createOidcSettings(deps, providers);
  const arrivals = createOidcArrivals(deps, sessions);
  const callback = (): string => `${deps.baseUrl().replace(/\/$/, '')}${CALLBACK}`;

  const enabled = async (orgId: string): Promise<OidcSettingsDoc> => {
    const found = await read(orgId);
    if (found?.is_enabled) return found;
    throw new AppError('not_found', 'This organization has no sign-in of its own.');
  };

  const inviteHash = async (orgId: string, token: string | undefined) => {
    if (token === undefined) return undefined;
    const _id = hashOfToken(token);
    const link = _id === null ? null : await accessLinks.findOne({ _id, org_id: orgId });
    if (link?.kind !== 'invite') throw linkIsOver();
    return link._id;
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
      'The sign-in took too long or was already used. Start again.',
    );
  };

  const askProvider = async (flow: OidcFlowDoc, query: URLSearchParams): Promise<Subject> => {
    const provider = await enabled(flow.org_id);
    const url = new URL(callback());
    url.search = query.toString();
    try {
      const tokens = await providers.redeem(provider, url, {
        pkceCodeVerifier: keyring.open(flow.code_verifier, codeVerifierPlace(flow._id)),
        expectedNonce: flow.nonce,
        expectedState: query.get('state') ?? '',
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new Error('The provider gave no ID token.');
      const { iss: issuer, sub: subject, name, auth_time: at } = claims;
      const signed_in_at = typeof at === 'number' ? new Date(at * 1_000) : undefined;
      return { issuer, subject, name: typeof name === 'string' ? name : '', signed_in_at };
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      throw new AppError('unauthorized', "The organization's sign-in was not completed.", {
        cause,
      });
    }
  };

  return {
    identities: createIdentities(deps),
    ...settings,
    /**
     * @param use `invite`: the token of an invitation to accept; `link`: the signed-in person to link to the provider;
     * `confirms`: the person signs in there once more, even if the provider knows the browser
     * @throws {AppError} `not_found` where the organization has no such sign-in; `unavailable` when its provider does not
     * answer; `forbidden` for a link in a session that is not fresh
     */
    async start(
      orgId: string,
      {
        invite,
        link,
        confirms = false,
        return_to = HOME,
      }: { invite?: string; link?: SignedIn | null; confirms?: boolean; return_to?: string },
      from: From,
    ): Promise<OidcStart> {
      await guard.enterRequest('provider', from);
      const provider = await enabled(orgId);
      if (link) requireFresh(link);
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
        invite: accepting,
        link_person_id: link?.person.id,
        link_session_id: link?.session_id,
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
        max_age: String(confirms ? CONFIRMED_WITHIN_SECONDS : SIGNED_IN_WITHIN_SECONDS),
      });
      return { url: url.href, cookies: [cookie(OIDC_COOKIE, binding, FLOW_MS / 1_000)] };
    },
    /**
     * @param query of the callback, as it came
     * @param binding the cookie that `start` set
     * @throws {AppError} `unauthorized` for a state that is unknown, used or over, a subject linked to no person, or a link
     * whose session has ended
     */
    async finish(
      query: URLSearchParams,
      binding: string | undefined,
      from: From,
    ): Promise<OidcFinish> {
      const flow = await takeFlow(query, binding);
      const subject = await askProvider(flow, query);
      const person = await arrivals.personOf(flow, subject);
      const { return_to } = flow;
      const cleared = clearedCookie(OIDC_COOKIE);
      // A person who links the provider to an account is signed in already, and stays so.
      if (flow.link_person_id !== undefined) {
        return { state: 'signed_in', cookies: [cleared], return_to, is_link: true };
      }
      const begun = await signIns.complete(
        {
          person,
          via: 'oidc',
          oidc_org_id: flow.org_id,
          fresh_at: subject.signed_in_at ?? LONG_AGO,
        },
        from,
      );
      // The owner may have disconnected it meanwhile, which ended the sessions until then.
      if (!(await arrivals.isStill(person._id, flow, subject))) {
        await sessions.endAll({ person_id: person._id, oidc_org_id: flow.org_id });
        throw unknownPerson();
      }
      return { ...begun, cookies: [...begun.cookies, cleared], return_to, is_link: false };
    },
  };
}
