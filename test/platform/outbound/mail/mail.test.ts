import { performance } from 'node:perf_hooks';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { MailContent, MailReply } from '../../../../src/platform/outbound/mail/content.js';
import { readMailReply } from '../../../../src/deliveries/rules/mail.js';
import {
  createMail,
  type Mail,
  type OutboundMail,
} from '../../../../src/platform/outbound/mail/mail.js';
import { readSmtpUrl, type SmtpServer } from '../../../../src/platform/outbound/mail/server.js';
import { timed } from '../doorFixture.js';
import { createNames } from '../../../../src/platform/outbound/names/names.js';
import { startMailServer, startScriptedServer } from '../mailServer.js';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});
const kept = async <T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
  const started = await starting;
  stops.push(() => started.stop());
  return started;
};
const mailBy = (server: SmtpServer, more: { maxSessions?: number; idleMs?: number } = {}): Mail => {
  const { resolve } = createNames();
  const mail = createMail({ server, resolve, from: 'Leads <leads@sender.example>', ...more });
  stops.push(() => mail.close());
  return mail;
};
const content: MailContent = {
  to: ['desk@buyer.example'],
  cc: ['boss@buyer.example'],
  subject: 'New lead',
  text: 'phone: +15551234567\n.\nend\n',
  messageName: 'l1.b1',
  headers: { 'Idempotency-Key': 'l1:b1', 'X-Lead-Id': 'l1' },
};
const outbound = (more: Partial<OutboundMail> = {}): OutboundMail => ({
  content,
  timeoutMs: 3_000,
  sendBy: performance.now() + 2_000,
  ...more,
});

describe('a mail to a server that accepts it', () => {
  it('arrives complete, with a Message-ID and a key that a repeated send also has', async () => {
    const { server, received } = await kept(startMailServer());
    const mail = mailBy(server);
    expect(await mail.send(outbound())).toMatchObject({ kind: 'taken', refused: [] });
    await mail.send(outbound());
    expect(received).toHaveLength(2);
    for (const { from, to, raw } of received) {
      expect(from).toBe('leads@sender.example');
      expect(to).toEqual(['desk@buyer.example', 'boss@buyer.example']);
      expect(raw).toMatch(/^Message-ID: <l1\.b1@sender\.example>\r$/m);
      expect(raw).toMatch(/^Idempotency-Key: l1:b1\r$/m);
      expect(raw).toMatch(/^From: Leads <leads@sender\.example>\r$/m);
      expect(raw).toContain('phone: +15551234567\r\n.\r\nend');
    }
  });

  it('lets no value add a header or a recipient', async () => {
    const { server, received } = await kept(startMailServer());
    const evil = 'x\r\nBcc: spy@evil.example\r\n\r\n<script>';
    const headers = { 'X-Lead-Id': evil };
    const wild = { ...content, subject: evil, messageName: evil, headers, text: evil };
    await mailBy(server).send(outbound({ content: wild }));
    const [head = ''] = (received[0]?.raw ?? '').split('\r\n\r\n');
    expect(head).not.toMatch(/^Bcc/im);
    expect(received[0]?.to).toEqual(['desk@buyer.example', 'boss@buyer.example']);
  });

  it('keeps its session for the next mail, and opens at most its limit', async () => {
    const scripted = await kept(startScriptedServer({}));
    const mail = mailBy(scripted.server, { maxSessions: 2 });
    const first = await Promise.all(Array.from({ length: 8 }, () => mail.send(outbound())));
    expect(first.map(({ kind }) => kind)).toEqual(Array(8).fill('taken'));
    expect(scripted.connections).toBe(2);
    await mail.send(outbound());
    expect(scripted).toMatchObject({ connections: 2, whole: 9 });
  });

  it.each(['cut', '421 idle for too long'])(
    'uses another session when the server closes the kept one: %s',
    async (second) => {
      const scripted = await kept(startScriptedServer({ secondMail: second }));
      const mail = mailBy(scripted.server, { maxSessions: 1 });
      await mail.send(outbound());
      expect(await mail.send(outbound())).toMatchObject({ kind: 'taken' });
      expect(scripted).toMatchObject({ connections: 2, whole: 2 });
    },
  );

  it('is sent to the others when the server refuses one of the recipients', async () => {
    const { server, received } = await kept(
      startMailServer({
        onRcptTo({ address }, _, done) {
          done(address.startsWith('boss') ? new Error('no such user') : null);
        },
      }),
    );
    const reply = await mailBy(server).send(outbound());
    expect(reply).toMatchObject({ kind: 'taken', refused: ['boss@buyer.example'] });
    expect(received[0]?.to).toEqual(['desk@buyer.example']);
  });

  it('logs in where the settings have a user', async () => {
    const { server, received } = await kept(
      startMailServer({
        authOptional: false,
        allowInsecureAuth: true,
        onAuth({ username, password }, _, done) {
          if (username === 'ada' && password === 'p:w/') done(null, { user: 'ada' });
          else done(new Error('wrong'));
        },
      }),
    );
    const right = mailBy({ ...server, user: 'ada', pass: 'p:w/' });
    expect(await right.send(outbound())).toMatchObject({ kind: 'taken' });
    const wrong = await mailBy({ ...server, user: 'ada', pass: 'x' }).send(outbound());
    expect(wrong).toMatchObject({ kind: 'refused', stage: 'session', code: 535 });
    expect(readMailReply(wrong).result).toBe('not_taken');
    expect(received).toHaveLength(1);
  });
});

describe('a mail to a server that misbehaves', () => {
  type Kind = MailReply['kind'];
  type Result = ReturnType<typeof readMailReply>['result'];
  const table: [string, Parameters<typeof startScriptedServer>[0], Kind, Result][] = [
    ['cuts the connection at once', { greeting: 'cut' }, 'not_sent', 'not_taken'],
    ['says it has no service', { greeting: '554 go away' }, 'refused', 'not_taken'],
    ['never greets', { greeting: null }, 'not_sent', 'not_taken'],
    ['cuts after EHLO', { ehlo: 'cut' }, 'not_sent', 'not_taken'],
    ['is no mail server', { greeting: 'HTTP/1.1 400 Bad Request' }, 'not_sent', 'not_taken'],
    ['refuses the sender for good', { mail: '550 who are you' }, 'refused', 'not_taken'],
    ['is busy at MAIL FROM', { mail: '451 later' }, 'refused', 'not_taken'],
    ['never answers MAIL FROM', { mail: null }, 'not_sent', 'not_taken'],
    ['cuts at RCPT TO', { rcpt: 'cut' }, 'not_sent', 'not_taken'],
    ['has no such user', { rcpt: '550 no such user' }, 'refused', 'rejected'],
    ['greylists', { rcpt: '451 try again' }, 'refused', 'not_taken'],
    ['refuses DATA', { data: '554 no' }, 'refused', 'rejected'],
    ['is full at DATA', { data: '452 full' }, 'refused', 'not_taken'],
    ['cuts at DATA', { data: 'cut' }, 'not_sent', 'not_taken'],
    ['refuses the message', { message: '554 spam' }, 'refused', 'rejected'],
    ['cannot keep the message now', { message: '452 full' }, 'refused', 'not_taken'],
    ['cuts in the middle of the message', { body: 'cut' }, 'no_answer', 'unknown'],
    ['cuts after the final dot', { message: 'cut' }, 'no_answer', 'unknown'],
    ['never answers the final dot', { message: null }, 'no_answer', 'unknown'],
  ];
  it.each(table)('that %s', async (_, script, kind, result) => {
    const scripted = await kept(startScriptedServer(script));
    const mail = mailBy(scripted.server);
    const { value: reply, ms } = await timed(() =>
      mail.send(outbound({ timeoutMs: 1_000, sendBy: performance.now() + 800 })),
    );
    expect(reply.kind).toBe(kind);
    expect(readMailReply(reply).result).toBe(result);
    expect(ms).toBeLessThan(1_500);
    expect(scripted.whole).toBe(script.message === undefined ? 0 : 1);
  });

  it('is refused where nothing listens', async () => {
    const scripted = await startScriptedServer({});
    await scripted.stop();
    const reply = await mailBy(scripted.server).send(outbound());
    expect(reply).toMatchObject({ kind: 'not_sent' });
  });

  it('is not started after its deadline', async () => {
    const scripted = await kept(startScriptedServer({}));
    const reply = await mailBy(scripted.server).send(outbound({ sendBy: performance.now() - 1 }));
    expect(reply).toEqual({ kind: 'not_sent', reason: 'no mail session was open in time' });
    expect(scripted.whole).toBe(0);
  });

  it('waits for a session that takes longer to open than a mail may take to be handed over', async () => {
    const slow = startMailServer({ onConnect: (_, done) => void setTimeout(done, 1_200) });
    const { server, received } = await kept(slow);
    const reply = await mailBy(server).send(outbound({ sendBy: performance.now() + 1_000 }));
    expect(reply).toMatchObject({ kind: 'taken' });
    expect(received).toHaveLength(1);
  });

  it('is not begun by a session that is open after its whole time, nor later', async () => {
    const slow = startMailServer({ onConnect: (_, done) => void setTimeout(done, 600) });
    const { server, received } = await kept(slow);
    const mail = mailBy(server);
    const { value: reply, ms } = await timed(() => mail.send(outbound({ timeoutMs: 300 })));
    expect(reply).toEqual({ kind: 'not_sent', reason: 'no mail session was open in time' });
    expect(ms).toBeLessThan(600);
    // The session is used by the next mail, and has carried none before.
    expect(await mail.send(outbound())).toMatchObject({ kind: 'taken' });
    expect(received).toHaveLength(1);
  });

  it('is not sent after its sender was closed, which waits for mails in progress', async () => {
    const scripted = await kept(startScriptedServer({}));
    const mail = mailBy(scripted.server);
    const underWay = mail.send(outbound());
    await mail.close();
    expect(await underWay).toMatchObject({ kind: 'taken' });
    expect(await mail.send(outbound())).toMatchObject({ kind: 'not_sent' });
  });
});

describe('TLS to the mail server', () => {
  it('is required outside this machine by default', () => {
    const url = 'smtp://ada:p%3Aw%2F@mail.example.com';
    expect(readSmtpUrl(url)).toEqual({
      host: 'mail.example.com',
      port: 587,
      secure: false,
      requireTls: true,
      user: 'ada',
      pass: 'p:w/',
    });
    expect(readSmtpUrl(url, false)).toMatchObject({ requireTls: false });
    expect(readSmtpUrl('smtp://[::1]:2525')).toMatchObject({ host: '::1', requireTls: false });
    expect(readSmtpUrl('smtp://localhost')).toMatchObject({ requireTls: false });
    expect(readSmtpUrl('smtps://mail.example.com')).toMatchObject({ secure: true, port: 465 });
    for (const wrong of ['mail.example.com', 'http://mail.example.com', 'smtp://']) {
      expect(readSmtpUrl(wrong)).toMatch(/must be an address such as/);
    }
  });

  it('delays a mail when the server has none', async () => {
    const { server, received } = await kept(startMailServer());
    const reply = await mailBy({ ...server, requireTls: true }).send(outbound());
    expect(readMailReply(reply).result).toBe('not_taken');
    expect(received).toEqual([]);
  });

  it('delays a mail when the certificate is not trusted', async () => {
    const { server, received } = await kept(startMailServer({ disabledCommands: [] }));
    const reply = await mailBy({ ...server, requireTls: true }).send(outbound());
    expect(reply).toMatchObject({ kind: 'not_sent', reason: expect.stringMatching(/certificate/) });
    const loose = await mailBy(server).send(outbound());
    expect(loose).toMatchObject({ kind: 'taken' });
    expect(received.map(({ secure }) => secure)).toEqual([true]);
  });
});
