import { describe, expect, it } from '@jest/globals';
import { exampleWords } from '../../../../cli/actions/options.js';
import { readManifest } from '../../../../cli/actions/manifest.js';
import { readInput } from '../../../../cli/actions/readFlags.js';
import { quote } from '../../../../cli/actions/shellWords.js';
import { readCommands } from '../../../../src/web/build/commands.js';
import { commandOf, curlOf, toolCallOf } from '../../../../src/web/app/shell/howWords.js';

const commands = await readCommands();
const commandFor = (action: string, input: Record<string, unknown>): string => {
  const command = commands[action];
  if (!command) throw new Error(`There is no command of ${action}`);
  return commandOf(command, input);
};

describe('how a screen is asked for elsewhere', () => {
  it.each(readManifest().map((entry) => [entry.name, entry] as const))(
    'writes the example of %s as the command line does',
    (name, entry) => {
      expect(commandFor(name, entry.example)).toBe(exampleWords(entry).map(quote).join(' '));
    },
  );

  it('writes values that the command line reads back', async () => {
    const entry = readManifest().find(({ name }) => name === 'get_leads');
    if (!entry) throw new Error('get_leads has no command');
    const input = { status: 'ACCEPTED', email: '@file', is_test: false, phone: undefined };
    expect(commandFor('get_leads', input)).toBe(
      'leadwire leads list --status ACCEPTED --email @@file --no-is-test',
    );
    const options = { status: 'ACCEPTED', email: '@@file', isTest: false };
    expect(await readInput(entry, { options }, () => Promise.resolve(''))).toEqual({
      status: 'ACCEPTED',
      email: '@file',
      is_test: false,
    });
  });

  it('quotes for a shell, and writes a list with commas in JSON', () => {
    const input = { name: "O'Neil & Sons", permissions: ['leads:read', 'reports:read'] };
    expect(commandFor('create_api_key', input)).toBe(
      String.raw`leadwire keys create --name 'O'\''Neil & Sons' --permissions leads:read,reports:read`,
    );
    const fields = { name: 'x', permissions: ['a,b'] };
    expect(commandFor('create_api_key', fields)).toContain(`--permissions '["a,b"]'`);
  });

  it('writes the request with the key of whoever runs it, and the call of a tool', () => {
    expect(curlOf('get_lead', { lead_id: 'l1' }, 'https://leads.example')).toBe(
      [
        'curl -sS https://leads.example/api/v1/actions/get_lead',
        '-H "authorization: Bearer $LEADWIRE_API_KEY"',
        `-H 'content-type: application/json'`,
        `-d '{"lead_id":"l1"}'`,
      ].join(' \\\n  '),
    );
    expect(JSON.parse(toolCallOf('get_lead', { lead_id: 'l1' }))).toEqual({
      name: 'get_lead',
      arguments: { lead_id: 'l1' },
    });
  });
});
