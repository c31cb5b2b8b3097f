/** What the hash of a password costs. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listSettings } from '../../../src/app/config.js';
import { createSetupToken } from '../../../src/people/links/hostLinks.js';
import { createPasswords } from '../../../src/people/security/passwords.js';
import { CHEAP } from '../../support/passwordCost.js';
import { startServiceBed, type ServiceBed } from '../../support/service.js';
import { createVisitor } from '../../web/pages/visitor.js';
import { makeOrg } from '../../support/org.js';

const PASSWORD = 'four words of no meaning';
const REAL = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

describe('the hash of a password', () => {
  const [real, cheap] = [createPasswords(), createPasswords(CHEAP)];

  it('is made by argon2id in 19 MiB and two passes', async () => {
    expect(await real.hash(PASSWORD)).toMatch(REAL);
  });

  it('is verified at the cost that it was made at, whatever the cost of new ones is', async () => {
    const stored = [await real.hash(PASSWORD), await cheap.hash(PASSWORD)];
    expect(stored[1]).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/);
    for (const passwords of [real, cheap])
      for (const one of stored) {
        expect(await passwords.verify(one, PASSWORD)).toBe(true);
        expect(await passwords.verify(one, `${PASSWORD} `)).toBe(false);
      }
  });

  it('costs as much work to compare where there is none, and is never right', async () => {
    const stored = await real.hash(PASSWORD);
    /** Work of all threads of this process, in microseconds. */
    const workOf = async (hash: string | undefined) => {
      const before = process.cpuUsage();
      expect(await real.verify(hash, PASSWORD)).toBe(hash !== undefined);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    // The first makes the hash that all unknown ones are compared with.
    await workOf(undefined);
    expect(await workOf(undefined)).toBeGreaterThan((await workOf(stored)) / 3);
  });
});

describe('the hash of a password in an installation', () => {
  let bed: ServiceBed;
  beforeAll(async () => {
    bed = await startServiceBed();
  });
  afterAll(() => bed.stop());

  it('costs as much, for nothing but a test asks for less', async () => {
    const { url } = await bed.start('api', {}, { passwordCost: undefined });
    const { _id: org } = await makeOrg(bed.collections, 'Acme');
    const path = `/setup/${await createSetupToken(bed.collections, org, new Date())}`;
    const visitor = createVisitor(url);
    const values = { name: 'Ada Admin', email: 'ada@people.example', password: PASSWORD };
    expect((await visitor.submit(await visitor.open(path), path, values)).status).toBe(303);
    expect(await bed.collections.people.findOne({ email: values.email })).toMatchObject({
      password_hash: expect.stringMatching(REAL) as unknown,
    });
  });

  it('has a cost that no setting changes', () => {
    const about = listSettings().filter(({ name, meaning }) =>
      /password|argon|hash|passes|memory|kib|mib/i.test(`${name} ${meaning}`),
    );
    // An address of a mail server, and a file of passwords that are refused.
    expect(about.map(({ name }) => name)).toEqual(['SMTP_URL', 'BREACHED_PASSWORDS_FILE']);
  });
});
