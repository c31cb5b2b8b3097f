import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listSettings, readConfig } from '../../../src/app/config.js';
import { SECRET_FILES } from '../../../src/platform/security/secretFiles.js';
import { connectOptions } from '../../../src/platform/temporal/connection.js';

/** A valid content for each. */
const SECRETS: Record<string, string> = {
  MONGODB_URI: 'mongodb://ada:pässword@127.0.0.1/?replicaSet=rs0',
  LEADWIRE_SECRET: 's'.repeat(64),
  SMTP_URL: 'smtps://ada:password@mail.example.com',
  GOOGLE_SERVICE_ACCOUNT_JSON: '{"client_email":\n"a@b.example"}',
  PING_TOKEN_KEYS: 'k'.repeat(32),
};
const SMTP_FROM = 'leads@example.com';

describe('settings that are secrets', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'leadwire-secrets-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const file = (content: string | Buffer, name = 'secret'): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const messageOf = (environment: Record<string, string>): string => {
    try {
      readConfig({ SMTP_FROM, ...environment });
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('can all be read from a file', () => {
    expect([...SECRET_FILES.keys()].sort()).toEqual(Object.keys(SECRETS).sort());
    const known = listSettings().map(({ name }) => name);
    expect(known).toEqual(
      expect.arrayContaining([...SECRET_FILES.keys(), ...SECRET_FILES.values()]),
    );
    const secret = known.filter((name) =>
      /(?:SECRET|PASSWORD|_KEYS|_URI|SMTP_URL|_JSON)$/.test(name),
    );
    expect(secret.sort()).toEqual([...SECRET_FILES.keys()].sort());
  });

  it.each([...SECRET_FILES])(
    '%s comes from the file that %s names, as from itself',
    (name, twin) => {
      const secret = SECRETS[name] ?? '';
      const expected = readConfig({ SMTP_FROM, [name]: secret });
      for (const end of ['', '\n', '\r\n'])
        expect(readConfig({ SMTP_FROM, [twin]: file(secret + end) })).toEqual(expected);
    },
  );

  it('lose one newline at their end and nothing else', () => {
    const secret = ` ${'s'.repeat(40)} \n`;
    expect(readConfig({ LEADWIRE_SECRET_FILE: file(`${secret}\n`) }).secret).toBe(secret);
  });

  it.each([...SECRET_FILES])('%s and %s together are refused', (name, twin) => {
    const secret = SECRETS[name] ?? '';
    expect(messageOf({ [name]: secret, [twin]: file(secret) })).toBe(
      `These settings are not valid:\n  ${twin}: ${name} is also set; set only one of the two`,
    );
  });

  it('may be named by an empty setting, which counts as absent', () => {
    expect(readConfig({ LEADWIRE_SECRET_FILE: '' }).secret).toBeUndefined();
    const environment = { LEADWIRE_SECRET: '', LEADWIRE_SECRET_FILE: file('s'.repeat(32)) };
    expect(readConfig(environment).secret).toBe('s'.repeat(32));
  });

  it.each([
    ['', 'the file is empty'],
    ['\n', 'the file is empty'],
    [Buffer.from([0x68, 0xff, 0x68]), 'the file is not UTF-8 text'],
    ['hunter2'.repeat(10_000), 'the file has more than 65536 bytes'],
  ])('are refused by the name of the setting when the file contains %j', (content, fault) => {
    const message = messageOf({ PING_TOKEN_KEYS_FILE: file(content) });
    expect(message).toBe(`These settings are not valid:\n  PING_TOKEN_KEYS_FILE: ${fault}`);
  });

  it('are refused by their rules without being shown', () => {
    const message = messageOf({ LEADWIRE_SECRET_FILE: file('hunter2') });
    expect(message).toContain('LEADWIRE_SECRET: ');
    expect(message).not.toContain('hunter2');
  });

  it('are not shown when given instead of a path, and all files are reported at once', () => {
    const message = messageOf({ LEADWIRE_SECRET_FILE: 'hunter2', MONGODB_URI_FILE: folder });
    expect(message).toBe(
      'These settings are not valid:\n' +
        '  MONGODB_URI_FILE: the file cannot be read (EISDIR); it must be the path of a file\n' +
        '  LEADWIRE_SECRET_FILE: the file cannot be read (ENOENT); it must be the path of a file',
    );
  });

  it('have the key of Temporal Cloud among them', () => {
    process.env.TEMPORAL_API_KEY_FILE = file('a key\n');
    try {
      expect(connectOptions('cloud.example:7233')).toMatchObject({ apiKey: 'a key', tls: true });
      process.env.TEMPORAL_API_KEY_FILE = join(folder, 'none');
      expect(() => connectOptions('cloud.example:7233')).toThrow(
        'TEMPORAL_API_KEY_FILE: the file cannot be read (ENOENT)',
      );
    } finally {
      delete process.env.TEMPORAL_API_KEY_FILE;
    }
  });
});
