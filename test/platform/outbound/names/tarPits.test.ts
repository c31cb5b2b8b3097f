import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createNames } from '../../../../src/platform/outbound/names/names.js';
import { startMailServer } from '../mailServer.js';
import { createMail } from '../../../../src/platform/outbound/mail/mail.js';
import { post, timed, useDoor } from '../doorFixture.js';
import { startDnsServer } from '../ssrf/dnsServer.js';
import { testFolder } from '../../../embedded/support.js';

const { door, answering } = useDoor();
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

describe('20 names of one organization without an answer', () => {
  it('do not slow the deliveries of another organization', async () => {
    const dns = await startDnsServer({
      '*.tar.test': [['SILENCE']],
      '*.good.test': [['A 127.0.0.1']],
    });
    const names = createNames({ servers: [dns.address] });
    ends.push(
      () => dns.close(),
      () => names.close(),
    );
    const buyer = await answering(OK);
    const { port } = new URL(buyer.url);
    const http = door({ resolve: names.resolve });
    const slow = Array.from({ length: 20 }, (_, index) =>
      http.send(
        post(`http://t${String(index)}.tar.test:${port}/`, { orgId: 'slow', timeoutMs: 4_000 }),
      ),
    );
    const times: number[] = [];
    for (let index = 0; index < 50; index += 1) {
      const url = `http://b${String(index)}.good.test:${port}/`;
      const { value, ms } = await timed(() => http.send(post(url, { orgId: 'good' })));
      expect(value).toMatchObject({ kind: 'answered', status: 200 });
      times.push(ms);
    }
    expect(Math.max(...times)).toBeLessThan(1_000);
    for (const reply of await Promise.all(slow)) expect(reply.kind).toBe('not_sent');
  });
});

describe('a process whose threads are all busy', () => {
  /** Each thread waits in open(2) for a writer, as it would in getaddrinfo for a name server. */
  function holdThreads(): () => Promise<void> {
    const folder = testFolder();
    const count = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
    const pipes = Array.from({ length: count }, (_, index) => join(folder.path, String(index)));
    execFileSync('mkfifo', pipes);
    const held = pipes.map((pipe) => open(pipe));
    return async () => {
      const writers = pipes.map((pipe) => openSync(pipe, 'r+'));
      for (const file of await Promise.all(held)) await file.close();
      writers.forEach((writer) => closeSync(writer));
      folder.remove();
    };
  }

  it('still delivers by name', async () => {
    const buyer = await answering(OK);
    const http = door();
    ends.push(holdThreads());
    const reply = await http.send(post(`http://localhost:${new URL(buyer.url).port}/`));
    expect(reply).toMatchObject({ kind: 'answered', status: 200 });
  });

  it('still mails by name', async () => {
    const server = await startMailServer();
    ends.push(() => server.stop());
    const { resolve } = createNames();
    const smtp = { ...server.server, host: 'localhost' };
    const mail = createMail({ server: smtp, resolve, from: 'leads@sender.example' });
    ends.push(() => mail.close());
    ends.push(holdThreads());
    const reply = await mail.send({
      content: {
        to: ['desk@buyer.example'],
        cc: [],
        subject: 'New lead',
        text: 'x',
        messageName: 'l1',
        headers: {},
      },
      timeoutMs: 3_000,
      sendBy: performance.now() + 2_000,
    });
    expect(reply).toMatchObject({ kind: 'taken' });
  });
});
