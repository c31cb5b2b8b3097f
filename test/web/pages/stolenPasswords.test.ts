/** A list of stolen passwords that the operator has installed. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PASSWORD, startPagesBed, type PagesBed } from './pagesBed.js';

const STOLEN = ['kettle orbit mango thirteen', 'another one of many'];
const hashOf = (password: string) =>
  createHash('sha1').update(password).digest('hex').toUpperCase();

describe('a list of stolen passwords', () => {
  let folder: string;
  let bed: PagesBed;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'leadwire-stolen-'));
    const path = await write(
      STOLEN.map((password) => `${hashOf(password)}:3\r\n`)
        .sort()
        .join(''),
    );
    bed = await startPagesBed({ BREACHED_PASSWORDS_FILE: path });
  });
  afterAll(async () => {
    await bed.stop();
    await rm(folder, { recursive: true });
  });
  const write = async (text: string) => {
    const path = join(folder, `${text.length}.txt`);
    await writeFile(path, text);
    return path;
  };

  it('keeps a person who accepts an invitation from choosing one of them, and says why beside the field', async () => {
    const { path } = await bed.invite();
    const guest = bed.visitor();
    const page = await guest.open(path);
    const choice = { name: 'Nora New', password: STOLEN[0] ?? '' };
    const refused = await guest.submit(page, path, choice);
    expect(refused.status).toBe(400);
    expect(refused.text).toMatch(
      /<p class="fault" id="password-fault">[^<]*published list of stolen passwords/,
    );
    const done = await guest.submit(refused, path, { ...choice, password: PASSWORD });
    expect(done.status).toBe(303);
  });

  it('in another form stops the start of the service, with the reason', async () => {
    const path = await write('password\n');
    await expect(bed.start('api', { BREACHED_PASSWORDS_FILE: path })).rejects.toThrow(
      'BREACHED_PASSWORDS_FILE: each line must begin with a SHA-1 hash',
    );
  });
});
