import { describe, expect, it } from '@jest/globals';
import { makeSecrets } from './madeSecrets.js';

describe('deploy/make-secrets', () => {
  it('keeps the secrets that an earlier release had in .env', () => {
    const made = makeSecrets(`LEADWIRE_SECRET=${'a'.repeat(64)}\nPOSTGRES_PASSWORD="b c"\n`);
    expect(made.read('leadwire_secret')).toBe('a'.repeat(64));
    expect(made.read('postgresql_password')).toBe('b c');
    made.remove();
  });

  it('creates different secrets each time, of full length', () => {
    const [one, two] = [makeSecrets(), makeSecrets()];
    expect(one.read('leadwire_secret')).toMatch(/^[0-9a-f]{64}$/);
    for (const name of [
      'leadwire_secret',
      'mongodb_uri',
      'mongodb_admin_uri',
      'postgresql_password',
      'ca',
    ])
      expect(one.read(name)).not.toBe(two.read(name));
    one.remove();
    two.remove();
  });
});
