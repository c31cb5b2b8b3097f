/** What an automation does, as a person sets it up: one reader for each action. */
import type { Keyring } from '../platform/security/seal.js';
import { RESERVED_HEADERS } from '../account/rules/reservedHeaders.js';
import { didYouMean, findNearest } from '../lib/nearest.js';
import type { EventType } from '../events/rules/events.js';
import { eventColumns, isEventColumn } from './rules/eventRow.js';
import type { AutomationTarget } from '../account/store/automationDocs.js';
import { settingsOf, type AutomationAction, type TargetInput } from './automationSchema.js';
import type { AutomationCollections } from './store/collections.js';
import type { OutboundPolicy } from '../account/buyers/delivery.js';
import { readAddresses } from '../account/buyers/delivery/addresses.js';
import { ADDRESSES_MAX, COLUMNS_MAX } from '../account/buyers/settingKinds.js';
import { hiddenHeaders, HIDDEN_HEADER, readHeaders } from '../account/buyers/delivery/headers.js';
import { createSettingReader, type SettingReader } from '../account/buyers/delivery/reader.js';
import { readSheet } from '../account/buyers/delivery/sheet.js';
import { readUrl } from '../account/buyers/delivery/readUrl.js';

export interface TargetContext {
  trigger: EventType;
  keyring: Keyring;
  policy: OutboundPolicy;
  collections: Pick<AutomationCollections, 'campaigns'>;
  org_id: string;
  /** The automation is for this campaign only. */
  campaign_id: string | null;
}

/**
 * A complete target from what was given, over `current` of the same action. What holds keys of others rests sealed.
 * @throws {AppError} `validation_failed` naming every setting that is not valid
 */
export async function checkTarget(
  action: AutomationAction,
  input: TargetInput,
  context: TargetContext,
  current?: AutomationTarget,
): Promise<AutomationTarget> {
  const before = current && openTarget(current, context.keyring);
  // What is shown in the place of a secret address stands for the one there is.
  const given = input.url === HIDDEN_HEADER && before?.url ? { ...input, url: before.url } : input;
  const read = createSettingReader('target', given, before);
  refuseUnknownKeys(read, input, action);
  const target = await readTarget(action, read, context);
  read.finish();
  return target;
}

async function readTarget(
  action: AutomationAction,
  read: SettingReader,
  context: TargetContext,
): Promise<AutomationTarget> {
  const { policy, keyring } = context;
  switch (action) {
    case 'WEBHOOK': {
      const url = readUrl(read, policy, 'events are posted to');
      const headers = readHeaders(read, RESERVED_HEADERS);
      const isPlain = Object.keys(headers).length === 0;
      const sealed = isPlain ? {} : { headers: keyring.seal(JSON.stringify(headers)) };
      return { action, target: { url, ...sealed } };
    }
    case 'SLACK': {
      const url = readUrl(read, policy, 'Slack gave for incoming webhooks');
      return { action, target: { url: keyring.seal(url) } };
    }
    case 'EMAIL':
      return { action, target: { to: readRecipients(read, policy), checked: true } };
    case 'GOOGLE_SHEET': {
      if (policy.sheets !== true) read.problem('spreadsheet_id', 'not_allowed', NO_SHEETS);
      return { action, target: { ...readSheet(read), columns: await readColumns(read, context) } };
    }
    case 'REDISTRIBUTE':
      return { action, target: { campaign_id: await readCampaign(read, context) } };
  }
}

interface OpenTarget {
  url?: string;
  headers?: Record<string, string>;
  to?: string[];
  campaign_id?: string;
  spreadsheet_id?: string;
  sheet?: string | null;
  columns?: string[];
}

function openTarget(stored: AutomationTarget, keyring: Keyring): OpenTarget {
  switch (stored.action) {
    case 'WEBHOOK': {
      const { url, headers } = stored.target;
      const opened = headers ? (JSON.parse(keyring.open(headers)) as Record<string, string>) : {};
      return { url, headers: opened };
    }
    case 'SLACK':
      return { url: keyring.open(stored.target.url) };
    case 'EMAIL':
      return { to: stored.target.to };
    case 'GOOGLE_SHEET':
    case 'REDISTRIBUTE':
      return stored.target;
  }
}

/** As it is shown: without the values of headers, and without an address that is a secret. */
export function shownTarget(stored: AutomationTarget, keyring: Keyring): OpenTarget {
  const target = openTarget(stored, keyring);
  if (stored.action === 'SLACK') return { url: HIDDEN_HEADER };
  return target.headers ? { ...target, headers: hiddenHeaders(target.headers) } : { ...target };
}

/** Notes a problem for every setting that the action does not have. */
function refuseUnknownKeys(read: SettingReader, input: object, action: AutomationAction): void {
  const known = settingsOf(action);
  for (const [key, value] of Object.entries(input)) {
    if (value === undefined || value === null || known.some((one) => one === key)) continue;
    const near = findNearest(key, known);
    const hint = near === undefined ? `It has ${known.join(', ')}.` : `Did you mean ${near}?`;
    read.problem(key, 'not_allowed', `is not a setting of the action ${action}. ${hint}`);
  }
}

function readRecipients(read: SettingReader, policy: OutboundPolicy): string[] {
  if (policy.mail !== true)
    read.problem('to', 'not_allowed', 'needs a mail server: set SMTP_URL and SMTP_FROM.');
  if ([read.given('to') ?? []].flat().length === 0)
    read.problem('to', 'required', `must be 1 to ${ADDRESSES_MAX} addresses.`);
  return readAddresses(read, 'to');
}

const NO_SHEETS = 'needs a service account: set GOOGLE_SERVICE_ACCOUNT_FILE.';

/** Of what happens in its campaign, or in any; all there are where none are named. */
async function readColumns(
  read: SettingReader,
  { collections, org_id, campaign_id, trigger }: TargetContext,
): Promise<string[]> {
  const of = campaign_id === null ? { org_id } : { _id: campaign_id, org_id };
  const found = await collections.campaigns.find(of, { projection: { fields: 1 } }).toArray();
  const fields = [...new Set(found.flatMap((one) => one.fields.map(({ name }) => name)))];
  const known = eventColumns(trigger, fields);
  const columns = read.texts('columns', COLUMNS_MAX);
  if (columns === null) return known.slice(0, COLUMNS_MAX);
  for (const name of columns.filter((one) => !isEventColumn(one, trigger, fields))) {
    const hint = didYouMean(name, known);
    const shown = name.slice(0, 60);
    read.problem(
      'columns',
      'not_allowed',
      `names "${shown}", which ${trigger} does not have.${hint}`,
    );
  }
  return [...new Set(columns)];
}

async function readCampaign(read: SettingReader, context: TargetContext): Promise<string> {
  const { collections, org_id } = context;
  const campaign_id = read.text('campaign_id', 100);
  if (campaign_id === null) {
    read.problem('campaign_id', 'required', 'must be the campaign that leads go to.');
    return '';
  }
  if (campaign_id === context.campaign_id) {
    const rule = 'must be another campaign: leads would return to the campaign they come from.';
    read.problem('campaign_id', 'not_allowed', rule);
  } else if (!(await collections.campaigns.findOne({ _id: campaign_id, org_id })))
    read.problem('campaign_id', 'not_allowed', `: there is no campaign ${campaign_id}.`);
  return campaign_id;
}
