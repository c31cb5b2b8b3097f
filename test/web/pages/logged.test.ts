/** What the logs record of the pages. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLog } from '../../../src/lib/log.js';
import { anEmail, PASSWORD, signIn, startPagesBed, type PagesBed } from './pagesBed.js';
import { createVisitor } from './visitor.js';

type Line = Record<string, unknown>;

let bed: PagesBed;
let url: string;
const lines: Line[] = [];
beforeAll(async () => {
  bed = await startPagesBed();
  const log = createLog('debug', 'api', {
    write: (text: string) => void lines.push(JSON.parse(text) as Line),
  });
  ({ url } = await bed.start('api', {}, { alter: (deps) => ({ ...deps, log }) }));
});
afterAll(() => bed.stop());

const securityLines = (): Line[] => lines.filter(({ msg }) => msg === 'security');

describe('the security log', () => {
  it('records sign-ins, failed sign-ins, and changes that a person makes to the account', async () => {
    const { email } = await bed.member();
    const person = await bed.collections.people.findOne({ email });
    await signIn(createVisitor(url), { email, password: 'a wrong password' });
    const visitor = createVisitor(url);
    await signIn(visitor, { email });
    const values = { current_password: PASSWORD, password: 'five words that fit together' };
    await visitor.submit(await visitor.visit('/account'), '/account/password', values);
    const about = { address: '127.0.0.1', method: 'POST' };
    expect(securityLines()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...about, event: 'auth_failed', route: '/sign-in' }),
        expect.objectContaining({ ...about, event: 'auth_passed', person_id: person?._id }),
        expect.objectContaining({
          ...about,
          event: 'account_changed',
          action: 'change_password',
          person_id: person?._id,
        }),
      ]),
    );
  });

  it('records nothing that was typed', async () => {
    const typed = { email: anEmail(), password: 'a password of nobody' };
    await signIn(createVisitor(url), typed);
    const text = JSON.stringify(lines);
    for (const part of Object.values(typed)) expect(text).not.toContain(part);
    expect(text).not.toContain(PASSWORD);
  });
});

describe('the log of requests', () => {
  it('records the address of a link without its token', async () => {
    const { path } = await bed.invite();
    const token = path.split('/').at(-1) ?? '';
    const visitor = createVisitor(url);
    await visitor.submit(await visitor.open(path), path, { name: 'Nora', password: PASSWORD });
    expect(lines.some((line) => line.path === '/invite/:token')).toBe(true);
    expect(JSON.stringify(lines)).not.toContain(token);
  });
});
