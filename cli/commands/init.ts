/** `leadwire init`: the first organization and its key, straight into the database. */
import { permissionsOf } from '../../src/account/keys/keys.js';
import { createOrg } from '../../src/account/orgs.js';
import { systemClock } from '../../src/lib/clock.js';
import { createKeyAsOperator } from '../../src/api/operator/orgKeys.js';
import { CommandFailed, EXIT, type ExitCode } from '../terminal/errors.js';
import { readConfig } from '../../src/app/config.js';
import { createSetupUrl } from '../../src/api/operator/signInLinks.js';
import { withRecord } from '../stack/installation.js';
import { adminLinkText, siteOf } from '../stack/signInPages.js';
import type { Terminal } from '../terminal/terminal.js';

export interface InitOptions {
  name: string;
  timeZone: string;
  currency: string;
  keyName: string;
  another?: true;
  json?: true;
}

export async function runInit(terminal: Terminal, options: InitOptions): Promise<ExitCode> {
  const { name, timeZone: time_zone, currency } = options;
  const made = await withRecord(terminal.environment, async ({ collections }) => {
    const existing = await collections.orgs.findOne({}, { projection: { name: 1 } });
    if (existing && !options.another) throw isThere(existing.name);
    const org = await createOrg(collections, { name, time_zone, currency });
    const input = { name: options.keyName, permissions: permissionsOf('write') };
    const context = { collections, clock: systemClock };
    const key = await createKeyAsOperator(context, org._id, input);
    const site = siteOf(readConfig(terminal.environment));
    const admin_url = await createSetupUrl(context, org._id, site);
    return { org, api_key: key.api_key, admin_url };
  });
  const { org, api_key, admin_url } = made;
  const organization = {
    id: org._id,
    name: org.name,
    time_zone: org.time_zone,
    currency: org.currency,
  };
  if (options.json) {
    terminal.print(JSON.stringify({ organization, api_key, admin_url }, null, 2));
    return EXIT.done;
  }
  terminal.say(
    `The organization ${org.name} (${org._id}) was created; its time zone is ${org.time_zone}, its currency ` +
      `${org.currency}.\nIts key has every permission, and is shown only once:`,
  );
  terminal.print(api_key);
  if (admin_url !== null) terminal.say(`${adminLinkText(org.name, admin_url)}\n`);
  terminal.say('Store the key: leadwire login --url URL. Then: leadwire campaigns create --help');
  return EXIT.done;
}

const isThere = (name: string): CommandFailed =>
  new CommandFailed(
    `An organization already exists: ${name}. Nothing was done.`,
    EXIT.failed,
    'For one more: leadwire init --another. For a key: leadwire operator keys create, or leadwire keys create with a ' +
      'key that has settings:write.',
  );
