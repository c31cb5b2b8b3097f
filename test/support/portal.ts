/** Portals for tests: a partner whose portal is open, its people with sessions, and calls as a browser sends them. */
import { createHash, randomBytes } from 'node:crypto';
import type { Collections } from '../../src/app/database.js';
import type { OrgRole, PartnerRole, Scope } from '../../src/people/types.js';
import { SESSION_COOKIE } from '../../src/people/types.js';
import { settingsId } from '../../src/portal/settings.js';
import type { PortalRules, Side } from '../../src/portal/settingsSchema.js';

export interface SignedInMember {
  person_id: string;
  email: string;
  membership_id: string;
  session_id: string;
  /** The value of the session cookie. */
  token: string;
  /** The Cookie header that a browser sends. */
  cookie: string;
}

export interface MemberSpec {
  org_id: string;
  scope: Scope;
  role?: OrgRole | PartnerRole;
  /** An existing person; default: a new one. */
  person_id?: string;
  name?: string;
  email?: string;
  /** Signed in long ago: secrets and the team require a confirmation first. */
  isStale?: boolean;
}

type Needed = Pick<Collections, 'people' | 'memberships' | 'sessions' | 'portalSettings'>;

const DAY_MS = 86_400_000;
const idOf = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;

const scopeKey = (scope: Scope): string =>
  scope.kind === 'organization'
    ? scope.kind
    : `${scope.kind}:${scope.kind === 'buyer' ? scope.buyer_id : scope.supplier_id}`;

export const partnerScope = (side: Side, partyId: string): Scope =>
  side === 'buyer'
    ? { kind: 'buyer', buyer_id: partyId }
    : { kind: 'supplier', supplier_id: partyId };

/** A person with one membership and a live session, written directly to the database: no password is hashed. */
export async function signInMember(
  { people, memberships, sessions }: Needed,
  { org_id, scope, role = 'admin', isStale = false, ...who }: MemberSpec,
): Promise<SignedInMember> {
  const now = new Date();
  const person_id = who.person_id ?? idOf('per');
  const email = who.email ?? `${person_id}@example.com`;
  if (who.person_id === undefined) {
    const name = who.name ?? 'Pat Partner';
    await people.insertOne({ _id: person_id, email, name, created_at: now, epoch: 1 });
  }
  const membership_id = idOf('mem');
  await memberships.insertOne({
    _id: membership_id,
    org_id,
    person_id,
    scope,
    scope_key: scopeKey(scope),
    role,
    created_at: now,
  });
  const token = randomBytes(32).toString('base64url');
  const session_id = idOf('ses');
  const since = isStale ? new Date(Number(now) - 3_600_000) : now;
  await sessions.insertOne({
    _id: createHash('sha256').update(token).digest('hex'),
    id: session_id,
    person_id,
    epoch: 1,
    via: 'password',
    created_at: since,
    seen_at: now,
    fresh_at: since,
    expires_at: new Date(Number(now) + DAY_MS),
    address: '127.0.0.1',
    user_agent: 'test',
    barred: [],
  });
  const cookie = `${SESSION_COOKIE}=${token}`;
  return { person_id, email, membership_id, session_id, token, cookie };
}

/** Opens the portal of a partner, or closes it; only the given rules are set. */
export async function setPortal(
  { portalSettings }: Pick<Needed, 'portalSettings'>,
  { org_id, side, party_id }: { org_id: string; side: Side; party_id: string },
  { is_enabled = true, ...rules }: Partial<PortalRules> & { is_enabled?: boolean } = {},
): Promise<void> {
  const _id = settingsId(org_id, side, party_id);
  const at = new Date();
  const doc = { org_id, side, party_id, is_enabled, rules, created_at: at, updated_at: at };
  await portalSettings.replaceOne({ _id }, doc, { upsert: true });
}

/** An open portal and an admin of its partner, signed in. */
export async function openPortal(
  collections: Needed,
  party: { org_id: string; side: Side; party_id: string },
  rules: Partial<PortalRules> = {},
  member: Partial<MemberSpec> = {},
): Promise<SignedInMember> {
  await setPortal(collections, party, rules);
  const scope = partnerScope(party.side, party.party_id);
  return signInMember(collections, { org_id: party.org_id, scope, ...member });
}

export interface PortalReply {
  status: number;
  headers: Headers;
  /** As received. */
  text: string;
  /** The body parsed as JSON; null when it is not JSON. */
  json: {
    data?: unknown;
    next_cursor?: string | null;
    error?: string;
    [key: string]: unknown;
  } | null;
}

export interface PortalClient {
  call(name: string, input?: object): Promise<PortalReply>;
  me(): Promise<PortalReply>;
  file(name: string, query?: Record<string, string>): Promise<PortalReply>;
}

/**
 * Calls a portal as a page of the service does.
 * @param member sends its cookie
 * @param membershipId in the path; another member's in tests of strangers
 */
export function portalClient(
  url: string,
  { cookie, membership_id }: Pick<SignedInMember, 'cookie' | 'membership_id'>,
  membershipId = membership_id,
): PortalClient {
  const base = `${url}/portal/api/${membershipId}`;
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  const read = async (answer: Promise<Response>) => withText(await answer);
  return {
    call: (name, input = {}) =>
      read(
        fetch(`${base}/${name}`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(input),
        }),
      ),
    me: () => read(fetch(`${base}/me`, { headers })),
    file: (name, query = {}) =>
      read(fetch(`${base}/files/${name}?${new URLSearchParams(query).toString()}`, { headers })),
  };
}

async function withText(answer: Response): Promise<PortalReply> {
  const text = await answer.text();
  const { status, headers } = answer;
  return { status, headers, text, json: readJson(text) };
}

function readJson(text: string): PortalReply['json'] {
  try {
    return JSON.parse(text) as PortalReply['json'];
  } catch {
    return null;
  }
}
