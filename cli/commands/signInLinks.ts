/** `leadwire operator sign-in …`: links for people who cannot sign in, straight from the database. */
import {
  createAdminUrlAsOperator,
  createRecoveryUrlAsOperator,
} from '../../src/api/operator/signInLinks.js';
import { findOrg } from '../../src/api/operator/orgKeys.js';
import { readConfig } from '../../src/app/config.js';
import { asOperator } from '../stack/installation.js';
import { adminLinkText, siteOf } from '../stack/signInPages.js';
import { EXIT, type ExitCode } from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';

interface LinkOptions {
  by?: string;
  json?: true;
}

export interface AdminLinkOptions extends LinkOptions {
  org?: string;
}

export interface RecoveryLinkOptions extends LinkOptions {
  email: string;
  withoutSecondFactor?: true;
  toOwner?: true;
}

export async function adminLink(
  terminal: Terminal,
  { org: given, by, json }: AdminLinkOptions,
): Promise<ExitCode> {
  const { environment } = terminal;
  const site = siteOf(readConfig(environment));
  const { org, url } = await asOperator(environment, by, async (context) => {
    const org = await findOrg(context.collections, given);
    return { org, url: await createAdminUrlAsOperator(context, org._id, site) };
  });
  show(terminal, json, url, adminLinkText(org.name, '').trimEnd());
  return EXIT.done;
}

export async function recoveryLink(
  terminal: Terminal,
  { email, by, json, withoutSecondFactor, toOwner }: RecoveryLinkOptions,
): Promise<ExitCode> {
  const { environment } = terminal;
  const dropsSecondFactor = withoutSecondFactor === true;
  const givesToOwner = toOwner === true;
  const site = siteOf(readConfig(environment));
  const url = await asOperator(environment, by, (context) =>
    createRecoveryUrlAsOperator(context, { email, site }, { dropsSecondFactor, givesToOwner }),
  );
  show(terminal, json, url, 'This link sets a new password, once, within 30 minutes:');
  return EXIT.done;
}

function show({ say, print }: Terminal, json: true | undefined, url: string, text: string): void {
  if (!json) say(text);
  print(json ? JSON.stringify({ url }, null, 2) : url);
}
