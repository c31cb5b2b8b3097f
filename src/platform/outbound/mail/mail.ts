/** The one door for outbound mail: a few sessions with one server, kept open while there is something to send. */
import { performance } from 'node:perf_hooks';
import type { MailContent, MailReply } from './content.js';
import { createGuardedLookup } from '../guardedConnector.js';
import type { ResolveName } from '../names/names.js';
import { addressOf, composeMail } from './message.js';
import type { SmtpServer } from './server.js';
import { openSession, type Session } from './session.js';

export interface OutboundMail {
  content: MailContent;
  /** Total time, from the call to the server's answer to the message. */
  timeoutMs: number;
  /**
   * On the clock of performance.now(): no mail is handed over after this. A session may take longer to open: within
   * `timeoutMs`, and no byte of the message is written after that.
   */
  sendBy: number;
}

interface MailOptions {
  server: SmtpServer;
  /** The sender's address, with or without a name. */
  from: string;
  resolve: ResolveName;
  /** Default 5. */
  maxSessions?: number;
  /** An unused session is closed after this time; servers close theirs after minutes. Default 15,000. */
  idleMs?: number;
}

const notSent = (reason: string): MailReply => ({ kind: 'not_sent', reason });

/** Servers limit what one connection may send; many draw the line at 100. */
const MAILS_PER_SESSION = 50;

export type Mail = ReturnType<typeof createMail>;

export function createMail({
  server,
  from,
  resolve,
  maxSessions = 5,
  idleMs = 15_000,
}: MailOptions) {
  // The operator configured the server, which may be on a private network.
  const lookup = createGuardedLookup({ allowPrivate: true, resolve, asker: () => '' });
  const pool = createPool({ open: () => openSession(server, lookup), maxSessions, idleMs });
  const underWay = new Set<Promise<MailReply>>();
  let closed = false;

  const send = async ({ content, timeoutMs, sendBy }: OutboundMail): Promise<MailReply> => {
    const deadline = performance.now() + timeoutMs;
    const message = await composeMail(content, from);
    const recipients = [...content.to, ...content.cc];
    if (performance.now() > sendBy) return TOO_LATE;
    for (;;) {
      const lease = await pool.acquire(deadline);
      if ('kind' in lease) return lease;
      if (performance.now() > deadline) {
        pool.release(lease);
        return TOO_LATE;
      }
      const mail = { from: addressOf(from), recipients, message, deadline };
      const reply = await lease.session.transact(mail);
      const wasStale = lease.uses > 0 && isStale(reply);
      pool.release(lease);
      if (!wasStale) return reply;
    }
  };

  return {
    /**
     * Sends one mail and never rejects.
     * - `taken`: the server answered 250 to the message.
     * - `refused`: it answered 4xx or 5xx.
     * - `not_sent`: the message was not begun.
     * - `no_answer`: it was, and no answer came.
     */
    send(mail: OutboundMail): Promise<MailReply> {
      if (closed)
        return Promise.resolve(notSent('no more mails are sent: the process is stopping'));
      const reply = send(mail);
      underWay.add(reply);
      void reply.finally(() => underWay.delete(reply)).catch(() => undefined);
      return reply;
    },
    /** Accepts no more mails, waits for those in flight and closes the sessions. */
    async close(): Promise<void> {
      closed = true;
      await Promise.allSettled(underWay);
      pool.close();
    },
  };
}

/** The server had closed a kept session, and the message was not begun: another session may carry it. */
const isStale = (reply: MailReply): boolean =>
  reply.kind === 'not_sent' ||
  (reply.kind === 'refused' && reply.code === 421 && reply.stage !== 'message');

interface Lease {
  session: Session;
  /** Mails it has carried. */
  uses: number;
}

interface PoolOptions {
  open: () => Promise<Session | MailReply>;
  maxSessions: number;
  idleMs: number;
}

function createPool({ open, maxSessions, idleMs }: PoolOptions) {
  const idle = new Map<Lease, NodeJS.Timeout>();
  const waiting = new Set<(given: Lease | MailReply) => void>();
  /** Open and opening ones. */
  let sessions = 0;
  let closed = false;

  const discard = (lease: Lease): void => {
    clearTimeout(idle.get(lease));
    idle.delete(lease);
    lease.session.close();
    sessions -= 1;
    if (waiting.size > 0) void grow();
  };

  const offer = (lease: Lease): void => {
    const [next] = waiting;
    if (next) next(lease);
    else if (closed) discard(lease);
    else idle.set(lease, setTimeout(() => discard(lease), idleMs).unref());
  };

  const grow = async (): Promise<void> => {
    if (sessions >= maxSessions) return;
    sessions += 1;
    const opened = await open();
    if (!('kind' in opened)) {
      offer({ session: opened, uses: 0 });
      return;
    }
    sessions -= 1;
    // The server cannot be reached: no waiting mail has a better chance now.
    [...waiting].forEach((give) => give(opened));
  };

  return {
    /** A session, or the reason why there is none by then; on the clock of performance.now(). */
    acquire(by: number): Promise<Lease | MailReply> {
      for (const lease of idle.keys()) {
        clearTimeout(idle.get(lease));
        idle.delete(lease);
        if (lease.session.isOpen()) return Promise.resolve(lease);
        discard(lease);
      }
      return new Promise((resolve) => {
        const give = (given: Lease | MailReply): void => {
          clearTimeout(timer);
          waiting.delete(give);
          resolve(given);
        };
        const timer = setTimeout(() => give(TOO_LATE), Math.max(1, by - performance.now()));
        waiting.add(give);
        void grow();
      });
    },
    release(lease: Lease): void {
      const next = { ...lease, uses: lease.uses + 1 };
      if (!lease.session.isOpen() || next.uses >= MAILS_PER_SESSION) discard(next);
      else offer(next);
    },
    close(): void {
      closed = true;
      [...idle.keys()].forEach(discard);
    },
  };
}

const TOO_LATE: MailReply = notSent('no mail session was open in time');
