/** Starts, reads and ends sessions. Every request reads its session from the database: once ended, it is ended in every process. */
import type { Filter } from 'mongodb';
import { addressGroup } from '../../platform/security/addressGroup.js';
import type { PeopleDeps } from '../deps.js';
import type { Entered } from '../entered.js';
import { cookie } from '../security/cookies.js';
import { hashOfToken, hashToken, newId, newToken } from '../security/tokens.js';
import { deviceName } from '../rules/deviceName.js';
import { createSessionReader } from './readSessions.js';
import type { PersonDoc, SessionDoc } from '../store/personDocs.js';
import {
  SESSION_COOKIE,
  type From,
  type SessionInfo,
  type SignedIn,
  type SignInWay,
} from '../types.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const IDLE_MS = 12 * HOUR_MS;
export const SESSION_LIFE_MS = 7 * 24 * HOUR_MS;
/** How long a sign-in with the right password waits for its code. */
const WAITING_MS = 10 * MINUTE_MS;
/** How long a sign-in counts as fresh. */
const FRESH_MS = 15 * MINUTE_MS;
const SEEN_EVERY_MS = MINUTE_MS;
/** Of one person: a new session ends the oldest. */
const SESSIONS_MAX = 50;
const AGENT_MAX = 200;

export interface Begin {
  person: Pick<PersonDoc, '_id' | 'epoch'>;
  via: SignInWay;
  oidc_org_id?: string;
  /** When the person showed who they are, where that may be earlier than now. */
  fresh_at?: Date;
  /** It waits for the second factor. */
  is_waiting?: true;
}

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions({ collections, clock }: PeopleDeps) {
  const { sessions, people } = collections;

  const live = createSessionReader({ collections, clock });

  const makeRoom = async (personId: string): Promise<void> => {
    const over = await sessions
      .find({ person_id: personId }, { projection: { _id: 1 } })
      .sort({ created_at: -1 })
      .skip(SESSIONS_MAX)
      .limit(SESSIONS_MAX)
      .toArray();
    if (over.length > 0) await sessions.deleteMany({ _id: { $in: over.map(({ _id }) => _id) } });
  };

  /** Sessions that are being marked as seen: the requests of one screen write it once. */
  const touching = new Map<string, Promise<unknown>>();
  const touch = async ({ _id, seen_at, created_at }: SessionDoc, now: Date): Promise<void> => {
    if (Number(now) - Number(seen_at) < SEEN_EVERY_MS) return;
    const seen = { $max: { seen_at: now, expires_at: endOf(created_at, now) } };
    const writing =
      touching.get(_id) ?? sessions.updateOne({ _id }, seen).finally(() => touching.delete(_id));
    touching.set(_id, writing);
    await writing;
  };

  /** Null for every token that opens nothing. */
  const enter = async (
    token: string | undefined,
    membershipId?: string,
  ): Promise<Entered | null> => {
    const found = await live(token, membershipId);
    if (!found || found.doc.is_waiting) return null;
    const now = clock.now();
    await touch(found.doc, now);
    return { signedIn: signedIn(found.doc, found.person, now), membership: found.membership };
  };

  return {
    /** @returns the value of Set-Cookie that hands the token to the browser */
    async begin(
      { person, via, oidc_org_id, fresh_at, is_waiting }: Begin,
      from: From,
    ): Promise<string> {
      const token = newToken();
      const now = clock.now();
      await sessions.insertOne({
        _id: hashToken(token),
        id: newId('ses'),
        person_id: person._id,
        epoch: person.epoch,
        is_waiting,
        via,
        oidc_org_id,
        created_at: now,
        seen_at: now,
        fresh_at: fresh_at && fresh_at < now ? fresh_at : now,
        expires_at: is_waiting ? new Date(Number(now) + WAITING_MS) : endOf(now, now),
        address: addressGroup(from.ip),
        user_agent: plain(from.user_agent ?? '').slice(0, AGENT_MAX),
        barred: [],
      });
      await makeRoom(person._id);
      return cookie(SESSION_COOKIE, token, (is_waiting ? WAITING_MS : SESSION_LIFE_MS) / 1_000);
    },
    enter,
    read: async (token: string | undefined): Promise<SignedIn | null> =>
      (await enter(token))?.signedIn ?? null,
    /** The sign-in that waits for a second factor; null for every other token. */
    async readWaiting(
      token: string | undefined,
    ): Promise<{ doc: SessionDoc; person: PersonDoc } | null> {
      const found = await live(token);
      return found?.doc.is_waiting ? found : null;
    },
    /** Whether a session of this person goes on. */
    async isLive(sessionId: string, personId: string): Promise<boolean> {
      const [doc, person] = await Promise.all([
        sessions.findOne({ person_id: personId, id: sessionId, expires_at: { $gt: clock.now() } }),
        people.findOne({ _id: personId }, { projection: { epoch: 1 } }),
      ]);
      return doc !== null && !doc.is_waiting && doc.epoch === person?.epoch;
    },
    /** True for the one caller that ends it. */
    async end(filter: Filter<SessionDoc>): Promise<boolean> {
      const { deletedCount } = await sessions.deleteOne(filter);
      return deletedCount === 1;
    },
    async endByToken(token: string | undefined): Promise<void> {
      const _id = hashOfToken(token);
      if (_id !== null) await sessions.deleteOne({ _id });
    },
    async endAll(filter: Filter<SessionDoc>): Promise<number> {
      const { deletedCount } = await sessions.deleteMany(filter);
      return deletedCount;
    },
    /** Live ones, newest first. */
    async list(filter: Filter<SessionDoc>, currentId?: string): Promise<SessionInfo[]> {
      const found = await sessions
        .find({ ...filter, is_waiting: { $exists: false }, expires_at: { $gt: clock.now() } })
        .sort({ created_at: -1 })
        .limit(SESSIONS_MAX)
        .toArray();
      return found.map((doc) => ({ ...infoOf(doc), is_current: doc.id === currentId }));
    },
    /** Marks the session as fresh from now on, and moves it to this epoch if one is passed. */
    async confirm(sessionId: string, personId: string, epoch?: number): Promise<void> {
      await sessions.updateOne(
        { person_id: personId, id: sessionId },
        { $set: { fresh_at: clock.now(), epoch } },
      );
    },
  };
}

const endOf = (created: Date, seen: Date): Date =>
  new Date(Math.min(Number(created) + SESSION_LIFE_MS, Number(seen) + IDLE_MS));

const plain = (text: string): string => text.replace(/[^\x20-\x7e]/g, '');

function signedIn(doc: SessionDoc, { _id, email, name }: PersonDoc, now: Date): SignedIn {
  return {
    session_id: doc.id,
    person: { id: _id, email, name },
    is_fresh: Number(now) - Number(doc.fresh_at) <= FRESH_MS,
    confirmed_at: doc.created_at > doc.fresh_at ? doc.created_at : doc.fresh_at,
    via: doc.via,
    oidc_org_id: doc.oidc_org_id,
    barred: doc.barred,
  };
}

function infoOf(doc: SessionDoc): Omit<SessionInfo, 'is_current'> {
  const { id, created_at, seen_at, expires_at, address, user_agent, via } = doc;
  const device = deviceName(user_agent);
  return { id, created_at, seen_at, expires_at, address, user_agent, device, via };
}
