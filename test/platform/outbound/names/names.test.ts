import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createNames, type Names } from '../../../../src/platform/outbound/names/names.js';
import { testFolder, type TestFolder } from '../../../embedded/support.js';
import { timed } from '../doorFixture.js';
import { startDnsServer, type DnsServer, type Zone } from '../ssrf/dnsServer.js';
import { waitFor } from '../../../support/waitFor.js';

type Options = NonNullable<Parameters<typeof createNames>[0]>;

let folder: TestFolder;
const dnsServers: DnsServer[] = [];
const made: Names[] = [];
let now = 0;
beforeEach(() => {
  folder = testFolder();
  now = 0;
});
afterEach(async () => {
  made.splice(0).forEach((names) => names.close());
  await Promise.all(dnsServers.splice(0).map((server) => server.close()));
  folder.remove();
});

const file = (name: string, text: string): string => {
  const path = join(folder.path, name);
  // A new file each time, like editors write it: its time alone may be the same.
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
  return path;
};
/** Name resolution by a server with this zone, and by these two files. */
async function namesOf(zone: Zone, more: Options & { hosts?: string; conf?: string } = {}) {
  const server = await startDnsServer(zone);
  dnsServers.push(server);
  const { hosts = '', conf = '', ...options } = more;
  const names = createNames({
    servers: [server.address],
    timeoutMs: 200,
    now: () => now,
    hostsFile: file('hosts', hosts),
    resolvConf: file('resolv.conf', conf),
    ...options,
  });
  made.push(names);
  const resolve = async (host: string, asker = 'org'): Promise<string[]> =>
    (await names.resolve(host, asker)).map(({ address }) => address);
  return { names, resolve, questions: server.questions };
}

describe('a name', () => {
  it('has its addresses of both families, IPv4 first', async () => {
    const { names } = await namesOf({
      'buyer.test': [['AAAA 2001:db8::1', 'A 192.0.2.1', 'A 192.0.2.2']],
    });
    expect(await names.resolve('buyer.test', 'org')).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '192.0.2.2', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ]);
  });

  it('has its IPv4 addresses, even if IPv6 answers first', async () => {
    const { resolve } = await namesOf({
      'buyer.test': [['AAAA 2001:db8::1 60', 'A 192.0.2.1 60 200']],
    });
    expect(await resolve('buyer.test')).toEqual(['192.0.2.1', '2001:db8::1']);
  });

  it('is known by IPv4 at once, and also by IPv6 when that answers', async () => {
    const { resolve } = await namesOf({
      'buyer.test': [['A 192.0.2.1 60', 'AAAA 2001:db8::1 60 300']],
    });
    expect(await resolve('buyer.test')).toEqual(['192.0.2.1']);
    const both = async () => {
      expect(await resolve('buyer.test')).toEqual(['192.0.2.1', '2001:db8::1']);
      return true;
    };
    await waitFor(both, { timeoutMs: 5_000, message: 'both addresses are known' });
  });

  it('is known by IPv6 alone, if IPv4 gets no answer', async () => {
    const { resolve } = await namesOf({
      'six.test': [['AAAA 2001:db8::1', 'A 192.0.2.1 0 60000']],
    });
    expect(await resolve('six.test')).toEqual(['2001:db8::1']);
  });

  it('is queried at the next server when one does not answer', async () => {
    const mute = await startDnsServer({ '*.test': [['SERVFAIL']] });
    const other = await startDnsServer({ 'buyer.test': [['A 192.0.2.1']] });
    dnsServers.push(mute, other);
    const { resolve } = await namesOf({}, { servers: [mute.address, other.address] });
    expect(await resolve('buyer.test')).toEqual(['192.0.2.1']);
    await expect(resolve('gone.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('is known by one family alone, if the other gets no answer', async () => {
    const { resolve } = await namesOf({ 'four.test': [['A 192.0.2.1'], ['A 192.0.2.1']] });
    expect(await resolve('four.test')).toEqual(['192.0.2.1']);
  });

  it('is not found when no server knows it', async () => {
    const { names } = await namesOf({});
    await expect(names.resolve('gone.test', 'org')).rejects.toMatchObject({
      code: 'ENOTFOUND',
      message: 'no address is known for gone.test',
    });
  });

  it('is unknown for now when no server answers', async () => {
    const { names } = await namesOf({ 'slow.test': [['SILENCE']] });
    await expect(names.resolve('slow.test', 'org')).rejects.toMatchObject({
      code: 'EAI_AGAIN',
      message: 'no name server could say what slow.test is (ETIMEOUT)',
    });
  });
});

describe('a name of this machine', () => {
  it('is localhost, and names ending in it, without a query', async () => {
    const { resolve, questions } = await namesOf({});
    for (const host of ['localhost', 'LOCALHOST', 'localhost.', 'buyer.localhost']) {
      expect(await resolve(host)).toEqual(['127.0.0.1', '::1']);
    }
    expect(questions).toEqual([]);
  });

  it('is resolved by the hosts file before any name server', async () => {
    const hosts =
      '# mine\n10.1.2.3\tcrm.test  CRM # the office\n::5 crm.test\nnonsense x.test\n127.0.0.1 localhost\n';
    const { resolve, questions } = await namesOf({ 'crm.test': [['A 192.0.2.9']] }, { hosts });
    expect(await resolve('crm.test')).toEqual(['10.1.2.3', '::5']);
    expect(await resolve('crm')).toEqual(['10.1.2.3']);
    expect(await resolve('localhost')).toEqual(['127.0.0.1']);
    expect(questions).toEqual([]);
  });

  it('changes with the hosts file', async () => {
    const { resolve } = await namesOf({}, { hosts: '10.0.0.1 crm.test' });
    expect(await resolve('crm.test')).toEqual(['10.0.0.1']);
    file('hosts', '10.0.0.2 crm.test');
    expect(await resolve('crm.test')).toEqual(['10.0.0.2']);
  });
});

describe('the search list', () => {
  const conf = 'nameserver 192.0.2.53\nsearch shop.svc.test. svc.test\noptions ndots:2 timeout:1\n';

  it('is gone through for a short name, in its order', async () => {
    const { resolve, questions } = await namesOf({ 'crm.svc.test': [['A 192.0.2.1']] }, { conf });
    expect(await resolve('crm')).toEqual(['192.0.2.1']);
    const asked = questions.filter((question) => question.startsWith('A '));
    expect(asked).toEqual(['A crm.shop.svc.test', 'A crm.svc.test']);
  });

  it('comes after the name itself when that has enough dots, and is skipped with a final dot', async () => {
    const { resolve, questions } = await namesOf({ 'a.b.test': [['A 192.0.2.1']] }, { conf });
    expect(await resolve('a.b.test')).toEqual(['192.0.2.1']);
    await expect(resolve('none.')).rejects.toThrow('no address is known for none.');
    expect(questions.filter((question) => question.startsWith('A '))).toEqual([
      'A a.b.test',
      'A none',
    ]);
  });

  it('does not hide a name by a domain without an answer', async () => {
    const zone: Zone = {
      'crm.shop.svc.test': [['SERVFAIL']],
      'crm.svc.test': [['A 192.0.2.1']],
      'none.test': [['SERVFAIL']],
    };
    const { names, resolve } = await namesOf(zone, { conf });
    expect(await resolve('crm')).toEqual(['192.0.2.1']);
    await expect(names.resolve('none.test', 'org')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  });

  it('is read again when the file changes', async () => {
    const { resolve } = await namesOf({ 'crm.new.test': [['A 192.0.2.7']] }, { conf });
    file('resolv.conf', 'search new.test\n');
    expect(await resolve('crm')).toEqual(['192.0.2.7']);
  });
});

describe('an answer', () => {
  it('is kept for its TTL, and then queried again', async () => {
    const { resolve, questions } = await namesOf({
      'buyer.test': [['A 192.0.2.1 10'], ['A 192.0.2.2 10']],
    });
    expect(await resolve('buyer.test')).toEqual(['192.0.2.1']);
    now = 9_999;
    expect(await resolve('buyer.test', 'another')).toEqual(['192.0.2.1']);
    expect(questions).toHaveLength(2);
    now = 10_000;
    expect(await resolve('buyer.test')).toEqual(['192.0.2.2']);
  });

  it('is kept for at most half a minute, whatever its TTL', async () => {
    const { resolve } = await namesOf({
      'buyer.test': [['A 192.0.2.1 86400'], ['A 192.0.2.2 86400']],
    });
    await resolve('buyer.test');
    now = 30_000;
    expect(await resolve('buyer.test')).toEqual(['192.0.2.2']);
  });

  it('is not kept when its TTL is 0', async () => {
    const { resolve } = await namesOf({ 'turns.test': [['A 192.0.2.1 0'], ['A 127.0.0.1 0']] });
    expect(await resolve('turns.test')).toEqual(['192.0.2.1']);
    expect(await resolve('turns.test')).toEqual(['127.0.0.1']);
  });

  it('that there is no such name is kept for 3 seconds', async () => {
    const { resolve, questions } = await namesOf({});
    await expect(resolve('gone.test')).rejects.toThrow('no address');
    now = 2_999;
    await expect(resolve('gone.test')).rejects.toThrow('no address');
    expect(questions).toHaveLength(2);
    now = 3_000;
    await expect(resolve('gone.test')).rejects.toThrow('no address');
    expect(questions).toHaveLength(4);
  });
});

describe('names without an answer', () => {
  const tarPits = Array.from({ length: 20 }, (_, index) => `t${String(index)}.tar.test`);
  const zone: Zone = { '*.tar.test': [['SILENCE']], 'good.test': [['A 192.0.2.1']] };

  it('delay only the organization that queries them', async () => {
    const { resolve } = await namesOf(zone, { atOnceMax: 10 });
    const slow = tarPits.map((host) => resolve(host, 'slow').catch(() => 'failed'));
    const own = timed(() => resolve('good.test', 'slow'));
    const another = await timed(() => resolve('good.test', 'another'));
    expect(another.value).toEqual(['192.0.2.1']);
    expect(another.ms).toBeLessThan(300);
    // It waits behind all of them: two rounds of ten.
    expect((await own).ms).toBeGreaterThan(800);
    expect(await Promise.all(slow)).toEqual(tarPits.map(() => 'failed'));
  });

  it("keep at most the organization's limit of open queries", async () => {
    const { resolve, questions } = await namesOf(zone, { atOnceMax: 10 });
    const slow = tarPits.map((host) => resolve(host).catch(() => 'failed'));
    await resolve('good.test', 'another');
    expect(new Set(questions.filter((asked) => asked.endsWith('.tar.test'))).size).toBe(2 * 10);
    await Promise.all(slow);
  });
});
