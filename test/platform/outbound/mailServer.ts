/** Real mail servers: one that behaves, and one that answers each stage as the test says. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { SmtpServer } from '../../../src/platform/outbound/mail/server.js';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** As received over the connection. */
  raw: string;
  secure: boolean;
}

export interface MailServer {
  server: SmtpServer;
  port: number;
  received: ReceivedMail[];
  stop(): Promise<void>;
}

const at = (port: number): SmtpServer => ({
  host: '127.0.0.1',
  port,
  secure: false,
  requireTls: false,
});

/** @param options changes of a server that accepts everything, without TLS or login */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onData(stream, session, done) {
      let raw = '';
      stream.on('data', (chunk: Buffer) => (raw += chunk.toString()));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw,
          secure: session.secure,
        });
        done();
      });
    },
    ...options,
  });
  smtp.on('error', () => undefined);
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  const { port } = smtp.server.address() as AddressInfo;
  return {
    server: at(port),
    port,
    received,
    stop: () =>
      new Promise((resolve) => {
        smtp.close(() => resolve());
      }),
  };
}

/** `null`: no answer. `cut`: the connection is reset. Any other text: the answer. */
type StageAnswer = string | null;

interface Script {
  greeting?: StageAnswer;
  ehlo?: StageAnswer;
  mail?: StageAnswer;
  /** The answer to MAIL FROM of every further mail of a connection. */
  secondMail?: StageAnswer;
  rcpt?: StageAnswer;
  data?: StageAnswer;
  /** After the final dot. */
  message?: StageAnswer;
  /** As soon as part of the message has arrived. */
  body?: 'cut';
}

export interface ScriptedServer {
  server: SmtpServer;
  /** Mails that arrived complete, to their final dot. */
  whole: number;
  connections: number;
  stop(): Promise<void>;
}

/** A minimal server, so that each stage can fail in its own way. */
export async function startScriptedServer(script: Script): Promise<ScriptedServer> {
  const sockets = new Set<Socket>();
  const reply = (socket: Socket, answer: StageAnswer | undefined, usual: string): void => {
    if (answer === 'cut') socket.resetAndDestroy();
    else if (answer !== null) socket.write(`${answer ?? usual}\r\n`);
  };
  const tcp = createServer((socket) => {
    scripted.connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    let inMessage = false;
    let mails = 0;
    let text = '';
    const onLine = (line: string): void => {
      if (inMessage) {
        if (line !== '.') return;
        inMessage = false;
        scripted.whole += 1;
        reply(socket, script.message, '250 taken');
      } else if (/^(EHLO|HELO)/i.test(line)) reply(socket, script.ehlo, '250 scripted');
      else if (/^MAIL/i.test(line)) {
        mails += 1;
        reply(socket, mails > 1 ? script.secondMail : script.mail, '250 ok');
      } else if (/^RCPT/i.test(line)) reply(socket, script.rcpt, '250 ok');
      else if (/^DATA/i.test(line)) {
        inMessage = (script.data ?? '354 go').startsWith('354');
        reply(socket, script.data, '354 go');
      } else socket.write('250 ok\r\n');
    };
    socket.on('data', (chunk) => {
      if (inMessage && script.body === 'cut') {
        socket.resetAndDestroy();
        return;
      }
      text += chunk.toString();
      const lines = text.split('\r\n');
      text = lines.pop() ?? '';
      lines.forEach(onLine);
    });
    reply(socket, script.greeting, '220 scripted');
  });
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const scripted: ScriptedServer = {
    server: at((tcp.address() as AddressInfo).port),
    whole: 0,
    connections: 0,
    async stop() {
      sockets.forEach((socket) => socket.destroy());
      tcp.close();
      await once(tcp, 'close');
    },
  };
  return scripted;
}
