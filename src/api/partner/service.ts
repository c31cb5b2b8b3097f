/** The portals of partners without their transport: the person's identity there, and the calls. */
import { AppError } from '../../lib/errors.js';
import type { SignedIn } from '../../people/types.js';
import { findLogo } from '../../portal/logo.js';
import { orUnavailable } from '../../platform/mongo/databaseErrors.js';
import type { Witness } from '../../platform/security/witness.js';
import { createReadAudit } from '../actions/readAudit.js';
import { countCall } from './allowance.js';
import type { PartnerCall, PartnerContext, PartnerFile } from './call.js';
import { createDownloads, type Download } from './downloads.js';
import { openPortal, type OpenPortal, type PortalDeps } from './open.js';
import { isOfSide, isOffered } from './permits.js';
import { recordName, runCall, type CallResult } from './run.js';
import { PARTNER_CALLS, PARTNER_FILES } from './registry.js';
import { meView } from './me.js';

export interface PartnerAnswer extends CallResult {
  /** The RateLimit headers. */
  headers: Record<string, string>;
}

/** Reads the JSON object of a request. @param max bytes, where the call takes more than others */
export type ReadBody = (max: number | undefined) => Promise<Record<string, unknown>>;

export interface Logo {
  id: string;
  type: 'image/png' | 'image/jpeg';
  bytes: Buffer;
}

export interface PartnerService {
  /**
   * The person's identity in this portal, and its rights there.
   * @throws {AppError} `not_found` for every portal that is not open to this session, `rate_limited`
   */
  me(signedIn: SignedIn, membershipId: string): Promise<PartnerAnswer>;
  /**
   * @param body read only once the portal is known to be open
   * @throws {AppError} as `me`; `not_found` for a name that is no call of the side; the call's own refusals
   */
  call(
    signedIn: SignedIn,
    membershipId: string,
    name: string,
    body: ReadBody,
    witness: Witness,
  ): Promise<PartnerAnswer>;
  /**
   * The logo that the portal shows.
   * @throws {AppError} as `me`; `not_found` where it has none
   */
  logo(signedIn: SignedIn, membershipId: string): Promise<Logo>;
  /** A list as CSV. @throws {AppError} as `call`; `rate_limited` while another download runs */
  file(
    signedIn: SignedIn,
    membershipId: string,
    name: string,
    query: URLSearchParams,
  ): Promise<Download>;
}

export function createPartnerService(deps: PortalDeps): PartnerService {
  const recordRead = createReadAudit(deps.collections);
  const downloads = createDownloads({ recordRead, log: deps.log });
  const enter = async (signedIn: SignedIn, membershipId: string) => {
    const headers = await countCall(deps.collections.windows, signedIn.session_id);
    return { headers, portal: await openPortal(signedIn, membershipId, deps) };
  };
  return {
    me: (signedIn, membershipId) =>
      guarded(async () => {
        const { headers, portal } = await enter(signedIn, membershipId);
        const calls = offered(PARTNER_CALLS, portal);
        return { headers, data: meView(portal, { calls, files: offered(PARTNER_FILES, portal) }) };
      }),
    call: (signedIn, membershipId, name, body, witness) =>
      guarded(async () => {
        const { headers, portal } = await enter(signedIn, membershipId);
        witness.known({ actor: 'person', org_id: portal.org_id, id: signedIn.person.id });
        const call = named(PARTNER_CALLS, name, portal);
        const context = contextOf(call.name, portal, deps);
        const result = await runCall(call, () => body(call.bodyMax), context, recordRead);
        if (call.changesKeys) witness.ran('key_changed', recordName(call, portal));
        return { headers, ...result };
      }),
    logo: (signedIn, membershipId) =>
      guarded(async () => {
        const { portal } = await enter(signedIn, membershipId);
        const id = portal.settings.branding.logo_id;
        const found = id === null ? null : await findLogo(deps.collections, portal.org_id, id);
        if (id === null || !found) throw new AppError('not_found', 'This portal has no logo.');
        return { id, ...found };
      }),
    file: (signedIn, membershipId, name, query) =>
      guarded(async () => {
        const { headers, portal } = await enter(signedIn, membershipId);
        const file = named(PARTNER_FILES, name, portal);
        const download = await downloads.begin(file, query, contextOf(name, portal, deps));
        return { ...download, headers: { ...headers, ...download.headers } };
      }),
  };
}

const offered = (list: readonly (PartnerCall | PartnerFile)[], portal: OpenPortal): string[] =>
  list.filter((one) => isOffered(one, portal)).map(({ name }) => name);

function named<T extends PartnerCall | PartnerFile>(
  list: readonly T[],
  name: string,
  portal: OpenPortal,
): T {
  const found = list.find((one) => one.name === name && isOfSide(one, portal));
  if (found) return found;
  throw new AppError('not_found', `This portal has no ${name.slice(0, 100)}.`);
}

/** Versions of campaigns record the person and the call that made them. */
function contextOf(name: string, portal: OpenPortal, deps: PortalDeps): PartnerContext {
  const { id, name: person } = portal.signedIn.person;
  const author = { person: { id, name: person }, action: recordName({ name }, portal) };
  return { ...deps, ...portal, author };
}

const guarded = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch(orUnavailable('This cannot be read now. Try again.'));
