/** The text printed when Leadwire is up: all addresses, and a lead to send. */
import type { DemoAccount } from '../../src/demo/account.js';
import { demoFilePath } from '../../src/demo/file.js';
import type { Running } from './boot.js';
import type { Paint } from '../output/paint.js';

/** One address per line, titles aligned. */
export function formatAddresses(
  rows: readonly (readonly [string, string])[],
  paint: Paint,
): string {
  const width = Math.max(...rows.map(([title]) => title.length));
  return rows.map(([title, value]) => `  ${paint.bold(title.padEnd(width))}  ${value}`).join('\n');
}

export function serviceAddresses({
  baseUrl,
  ingestUrl,
  stack,
  config,
}: Running): [string, string][] {
  return [
    ['API', baseUrl],
    ['Ingest', `${ingestUrl}/api/v1/ingest`],
    ['Temporal UI', stack.temporalUiUrl ?? '(of your Temporal server)'],
    ['Temporal', stack.temporalAddress],
    // An external address may contain a password.
    ['MongoDB', config.mongodbUri === undefined ? stack.mongodbUri : '(yours)'],
    ['Data', config.home],
    ...openServers(stack, config),
  ];
}

/** The embedded servers have no passwords: their addresses are open to every user of this machine. */
function openServers(stack: Running['stack'], config: Running['config']): [string, string][] {
  const embedded = [
    ...(config.mongodbUri === undefined ? ['MongoDB'] : []),
    ...(stack.temporalUiUrl ? ['Temporal'] : []),
  ];
  if (embedded.length === 0) return [];
  const names = embedded.join(' and ');
  return [['Note', `${names} ask for no password: other users of this machine can read all leads`]];
}

export function demoAddresses(running: Running, buyerUrl: string): [string, string][] {
  return [
    ...serviceAddresses(running),
    ['Demo buyers', buyerUrl],
    ['Keys and ids', demoFilePath(running.config.home)],
  ];
}

/**
 * A command line that sends one lead and works when pasted into a shell.
 * @param now makes phone and email new, so that a later start does not print a duplicate
 */
export function curlLine(ingestUrl: string, account: DemoAccount, now: Date): string {
  const digits = String(Math.floor(now.getTime() / 100)).slice(-8);
  const lead = {
    flo_campaign_id: account.campaigns.direct,
    flo_supplier_id: account.suppliers.web.id,
    first_name: 'Ada',
    last_name: 'Lovelace',
    phone: `41${digits}`,
    email: `ada.${digits}@example.com`,
    state: 'CA',
  };
  return [
    `curl -sS ${ingestUrl}/api/v1/ingest`,
    `  -H 'content-type: application/json'`,
    `  -H 'x-api-key: ${account.suppliers.web.api_key}'`,
    `  -d '${JSON.stringify(lead)}'`,
  ].join(' \\\n');
}
