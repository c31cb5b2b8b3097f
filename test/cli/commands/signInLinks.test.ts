/** Links that the program prints for people who cannot sign in, yet or any more. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { linkIn, newPlace, openPeople, PASSWORD, type PeopleBed } from '../../people/bed.js';
import { failed, runCli } from '../../support/cli.js';
import { testStack } from '../../support/stack.js';

const EMAIL = 'first.admin@example.com';

describe('links of sign-in', () => {
  const { mongodbUri } = testStack();
  let bed: PeopleBed;
  beforeAll(async () => {
    bed = await openPeople();
  });
  afterAll(() => bed.stop());

  const run = (args: string[], settings: Record<string, string> = {}) =>
    runCli(args, { MONGODB_URI: mongodbUri, MONGODB_DATABASE: bed.database, ...settings });
  const accept = (text: string) =>
    bed.people.invites.accept(
      linkIn(text),
      { email: EMAIL, name: 'First', password: PASSWORD },
      null,
      newPlace(),
    );

  it('are printed with the first organization, and again until there is an admin', async () => {
    const made = await run(['init', '--name', 'Acme'], { BASE_URL: 'https://leads.example.com' });
    expect(made.stderr).toContain('https://leads.example.com/setup/');
    expect(made.stdout).toMatch(/^lw_live_\w{38}\n$/);
    const again = await run(['operator', 'sign-in', 'admin-link'], { PORT: '8099' });
    expect(again.stdout).toMatch(/^http:\/\/127\.0\.0\.1:8099\/setup\/[\w-]{43}\n$/);
    await expect(accept(made.stderr)).rejects.toMatchObject({ code: 'not_found' });
    expect(await accept(again.stdout)).toMatchObject({ state: 'signed_in' });
    const refused = await run(['operator', 'sign-in', 'admin-link']);
    expect(refused).toEqual(
      failed(1, /^Error: The organization has an admin, who can invite others\./),
    );
  });

  it('set a new password without a mail server, and are recorded where the person belongs', async () => {
    const args = [
      'operator',
      'sign-in',
      'recovery-link',
      '--email',
      EMAIL,
      '--by',
      'Olga',
      '--json',
    ];
    const { url } = JSON.parse((await run(args)).stdout) as { url: string };
    await bed.people.recovery.finish(linkIn(url), 'another four words', newPlace());
    await expect(
      bed.people.signIn({ email: EMAIL, password: PASSWORD }, newPlace()),
    ).rejects.toMatchObject({ code: 'unauthorized' });
    const entry = await bed.db.audit.findOne({ action: 'create_recovery_link' });
    expect(entry).toMatchObject({ key_name: 'Olga' });
    expect(JSON.stringify(entry)).not.toContain(linkIn(url));
    expect(await run([...args, '--to-owner'])).toMatchObject({ code: 0 });
    const giving = await bed.db.accessLinks.findOne({ gives_to_owner: true });
    expect(giving).toMatchObject({ kind: 'recovery', is_mailed: false });
    const recorded = await bed.db.audit.find({ action: 'create_recovery_link' }).toArray();
    expect(recorded.map(({ input }) => input)).toMatchObject([
      { givesToOwner: false },
      { givesToOwner: true },
    ]);
    const unknown = await run(['operator', 'sign-in', 'recovery-link', '--email', 'x@example.com']);
    expect(unknown).toEqual(failed(1, /^Error: No account has this address\.\n$/));
  });
});
