/** The portals of partners without their transport: the person's identity there, and the calls. */
import { AppError } from '../../lib/errors.js';
import { findLogo } from '../../portal/logo.js';
import { allowanceOfSession, countOfSessions } from '../calls/allowance.js';
import { answered, type CallAnswer } from '../calls/answer.js';
import { personAt, type Asked, type Seat } from '../calls/me.js';
import { createReadAudit } from '../calls/readAudit.js';
import { mayRun } from '../calls/rights.js';
import { recordedName, runCall } from '../calls/runCall.js';
import type { PartnerCall, PartnerContext, PartnerFile } from './call.js';
import { createDownloads, type Download } from './downloads.js';
import { openPortal, type OpenPortal, type PortalDeps } from './open.js';
import { PORTALS } from './registry.js';
import { PartnerMe } from './schemas/shared.js';

export type PartnerService = ReturnType<typeof createPartnerService>;

export function createPartnerService(deps: PortalDeps) {
  const recordRead = createReadAudit(deps.collections);
  const count = countOfSessions(deps.collections.windows);
  const downloads = createDownloads({ recordRead, log: deps.log });
  const enter = <T extends object>(seat: Seat, work: (portal: OpenPortal) => Promise<T>) =>
    answered({ ...deps, count }, allowanceOfSession(seat.signedIn.session_id), async () =>
      work(await openPortal(seat, deps)),
    );
  return {
    /**
     * The person's identity in this portal, and its rights there.
     * @throws {AppError} `not_found` for every portal that is not open to this session, `rate_limited`
     */
    me: (seat: Seat): Promise<CallAnswer> =>
      enter(seat, (portal) => Promise.resolve({ data: meView(portal) })),
    /** @throws {AppError} as `me`; `not_found` for a name that is no call of the side; the call's own refusals */
    call: (seat: Seat, { name, body, witness }: Asked): Promise<CallAnswer> =>
      enter(seat, (portal) => {
        witness.known({ actor: 'person', org_id: portal.org_id, id: seat.signedIn.person.id });
        const call = named<PartnerCall>(PORTALS[portal.side].calls, name);
        return runCall(call, contextOf(call, portal, deps), body, { recordRead, witness });
      }),
    /**
     * The logo that the portal shows.
     * @throws {AppError} as `me`; `not_found` where it has none
     */
    logo: (seat: Seat) =>
      enter(seat, async (portal) => {
        const id = portal.settings.branding.logo_id;
        const found = id === null ? null : await findLogo(deps.collections, portal.org_id, id);
        if (id === null || !found) throw new AppError('not_found', 'This portal has no logo.');
        return { id, ...found };
      }),
    /** A list as CSV. @throws {AppError} as `call`; `rate_limited` while another download runs */
    async file(seat: Seat, name: string, query: URLSearchParams): Promise<Download> {
      const { headers, download } = await enter(seat, async (portal) => {
        const file = named<PartnerFile>(PORTALS[portal.side].files, name);
        return { download: await downloads.begin(file, query, contextOf(file, portal, deps)) };
      });
      return { ...download, headers: { ...headers, ...download.headers } };
    },
  };
}

function meView(portal: OpenPortal) {
  const { calls, files } = PORTALS[portal.side];
  const offered = (list: readonly (PartnerCall | PartnerFile)[]) =>
    list.filter((one) => mayRun(one, portal.caller)).map(({ name }) => name);
  return PartnerMe.parse({
    ...personAt(portal.signedIn, portal.membership),
    organization: portal.org,
    party: { id: portal.party_id, name: portal.party_name },
    is_visit: portal.isVisit,
    settings: portal.settings,
    calls: offered(calls),
    files: offered(files),
  });
}

function named<T extends PartnerCall | PartnerFile>(list: readonly T[], name: string): T {
  const found = list.find((one) => one.name === name);
  if (found) return found;
  throw new AppError('not_found', `This portal has no ${name.slice(0, 100)}.`);
}

/** Versions of campaigns record the person and the call that made them. */
function contextOf(
  call: Pick<PartnerCall, 'name'>,
  portal: OpenPortal,
  deps: PortalDeps,
): PartnerContext {
  const { id, name } = portal.signedIn.person;
  const author = { person: { id, name }, action: recordedName(call, portal.caller) };
  return { ...deps, ...portal, orgId: portal.org_id, author };
}
