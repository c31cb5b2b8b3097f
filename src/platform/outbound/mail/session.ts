/** One connection to the mail server, and one mail over it. */
import { once } from 'node:events';
import { connect, type LookupFunction, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { MailReply } from './content.js';
import type { SmtpServer } from './server.js';

/**
 * Connecting and logging in may take this long even when no mail waits any more: the next one finds the session open.
 */
const SET_UP_MS = 10_000;

const CLOSED = 'the mail server closed the connection';

export interface Session {
  /** Sends one mail, and never rejects. After anything but `taken` the session is closed. */
  transact(mail: Mailing): Promise<MailReply>;
  isOpen(): boolean;
  close(): void;
}

export interface Mailing {
  from: string;
  recipients: string[];
  message: Buffer;
  /**
   * The server must have answered by then; on the clock of performance.now(). The message is not written later either.
   */
  deadline: number;
}

/** @returns the session, or the reason why there is none: nothing of a mail was sent */
export async function openSession(
  server: SmtpServer,
  lookup: LookupFunction,
): Promise<Session | MailReply> {
  const deadline = AbortSignal.timeout(SET_UP_MS);
  const socket = await openSocket(server, lookup, deadline);
  if ('kind' in socket) return socket;
  const connection = new SMTPConnection({
    connection: socket,
    host: server.host,
    port: server.port,
    secure: server.secure,
    requireTLS: server.requireTls,
    opportunisticTLS: !server.requireTls,
    tls: { rejectUnauthorized: server.requireTls || server.secure },
    connectionTimeout: SET_UP_MS,
    greetingTimeout: SET_UP_MS,
    socketTimeout: 60_000,
    socketCloseTimeout: 0,
    maxResponseSize: 64 * 1024,
  });
  let open = true;
  const broken = new Promise<Error>((resolve) => {
    connection.on('error', resolve);
    connection.on('end', () => {
      open = false;
      // After an error event, if there is one: it is more specific.
      setImmediate(() => resolve(new Error(CLOSED)));
    });
  });
  const late = (): void => connection.close();
  deadline.addEventListener('abort', late);
  const failed = await Promise.race([broken, setUp(connection, server)]);
  deadline.removeEventListener('abort', late);
  if (failed) {
    connection.close();
    return replyOf(failed, { begun: false });
  }
  return {
    isOpen: () => open,
    transact: (mail) => transact(connection, mail),
    close: () => connection.close(),
  };
}

/** The connection without TLS, by our own lookup of the name; the families of addresses are tried in turn. */
async function openSocket(
  { host, port }: SmtpServer,
  lookup: LookupFunction,
  signal: AbortSignal,
): Promise<Socket | MailReply> {
  const socket = connect({ host, port, lookup });
  try {
    await once(socket, 'connect', { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    const first = error instanceof AggregateError ? (error.errors[0] as Error) : (error as Error);
    return signal.aborted
      ? { kind: 'not_sent', reason: 'the mail server could not be reached in time' }
      : replyOf(first, { begun: false });
  }
}

/** Connects, and logs in where the settings have a user. Returns the error that closed it. */
async function setUp(
  connection: SMTPConnection,
  { user, pass }: SmtpServer,
): Promise<Error | null> {
  const failed = await new Promise<Error | null>((resolve) => {
    connection.connect((error) => resolve(error ?? null));
  });
  if (failed || user === undefined) return failed;
  return new Promise((resolve) => {
    connection.login({ user, pass }, (error) => resolve(error));
  });
}

/** Whether the server may have the message: true from its first byte on, since one write carries all of it. */
interface Progress {
  begun: boolean;
}

function transact(
  connection: SMTPConnection,
  { from, recipients, message, deadline }: Mailing,
): Promise<MailReply> {
  return new Promise((resolve) => {
    const progress: Progress = { begun: false };
    const end = (reply: MailReply): void => {
      clearTimeout(timer);
      connection.off('error', fail);
      connection.off('end', closed);
      if (reply.kind !== 'taken') connection.close();
      resolve(reply);
    };
    const fail = (error: Error): void => end(replyOf(error, progress));
    const closed = (): void => void setImmediate(() => fail(new Error(CLOSED)));
    const timer = setTimeout(
      () => fail(new Error('no answer in time')),
      Math.max(1, deadline - performance.now()),
    );
    connection.once('error', fail);
    connection.once('end', closed);
    const body = bodyOf(message, deadline, progress);
    connection.send({ from, to: recipients }, body, (error, info) => {
      if (error) fail(error);
      else end({ kind: 'taken', response: info.response, refused: info.rejected });
    });
  });
}

/**
 * The message, read by the connection once the server accepts DATA: the last moment at which it can be withheld. A
 * process that was stopped in between does not send it.
 */
const bodyOf = (message: Buffer, deadline: number, progress: Progress): Readable =>
  new Readable({
    read() {
      if (performance.now() > deadline) {
        this.destroy(new Error('its time to be sent had passed'));
        return;
      }
      progress.begun = true;
      this.push(message);
      this.push(null);
    },
  });

/** nodemailer's description of an answer: the reply's code and text, and the command it followed. */
interface SmtpError extends Error {
  responseCode?: number;
  response?: string;
  command?: string;
}

function replyOf(error: SmtpError, { begun }: Progress): MailReply {
  const { responseCode: code, response, command = '' } = error;
  if (code !== undefined)
    return {
      kind: 'refused',
      stage: stageOf(command, begun),
      code,
      response: response ?? String(code),
    };
  return { kind: begun ? 'no_answer' : 'not_sent', reason: error.message.slice(0, 200) };
}

function stageOf(command: string, begun: boolean): 'session' | 'sender' | 'recipients' | 'message' {
  if (command === 'MAIL FROM') return 'sender';
  if (command === 'RCPT TO') return 'recipients';
  return command === 'DATA' || begun ? 'message' : 'session';
}
