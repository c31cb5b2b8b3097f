/** What an automation does, as a person sets it up: one reader for each action. */
import { normaliseEmail } from '../../domain/normalise.js';
import type { Automation, AutomationAction, AutomationTarget } from '../../domain/automation.js';
import { RESERVED_EVENT_HEADERS } from '../../domain/events.js';
import type { Collections } from '../../store/collections.js';
import type { OutboundPolicy } from '../delivery.js';
import { readHeaders } from '../delivery/headers.js';
import { settingReader, type SettingReader } from '../delivery/reader.js';
import { readUrl } from '../delivery/url.js';
import { refuseUnknownKeys } from './keys.js';

/** Null takes a setting back to its default. */
export interface TargetInput {
  url?: string | null | undefined;
  headers?: Record<string, string> | null | undefined;
  to?: string | readonly string[] | null | undefined;
  campaign_id?: string | null | undefined;
}

export interface TargetContext {
  policy: OutboundPolicy;
  collections: Pick<Collections, 'campaigns'>;
  org_id: string;
  /** The automation is for this campaign only. */
  campaign_id: string | null;
}

const ADDRESSES = 20;

const KEYS: Record<AutomationAction, readonly (keyof TargetInput)[]> = {
  WEBHOOK: ['url', 'headers'],
  SLACK: ['url'],
  EMAIL: ['to'],
  REDISTRIBUTE: ['campaign_id'],
};

/**
 * A complete target from what was given, over `current` of the same action.
 * @throws {AppError} `validation_failed` naming every setting that is not valid
 */
export async function checkTarget(
  action: AutomationAction,
  input: TargetInput,
  context: TargetContext,
  current?: AutomationTarget,
): Promise<AutomationTarget> {
  const read = settingReader('target', input, current);
  refuseUnknownKeys(read, input, KEYS[action], action);
  const target = await readTarget(action, read, context);
  read.finish();
  return target;
}

async function readTarget(
  action: AutomationAction,
  read: SettingReader,
  context: TargetContext,
): Promise<AutomationTarget> {
  const { policy } = context;
  switch (action) {
    case 'WEBHOOK': {
      const url = readUrl(read, policy, 'events are posted to');
      return { url, headers: readHeaders(read, RESERVED_EVENT_HEADERS) };
    }
    case 'SLACK':
      return { url: readUrl(read, policy, 'Slack gave for incoming webhooks') };
    case 'EMAIL':
      return { to: readAddresses(read, policy) };
    case 'REDISTRIBUTE':
      return { campaign_id: await readCampaign(read, context) };
  }
}

function readAddresses(read: SettingReader, policy: OutboundPolicy): string[] {
  if (policy.mail !== true)
    read.problem('to', 'not_allowed', 'needs a mail server: set SMTP_URL and SMTP_FROM.');
  const to = read.texts('to', ADDRESSES) ?? [];
  if (to.length === 0) read.problem('to', 'required', `must be 1 to ${ADDRESSES} addresses.`);
  for (const address of to.filter((one) => normaliseEmail(one) === null))
    read.problem('to', 'invalid_format', `must hold addresses; "${address.slice(0, 60)}" is none.`);
  return [...new Set(to)];
}

async function readCampaign(read: SettingReader, context: TargetContext): Promise<string> {
  const { collections, org_id } = context;
  const campaign_id = read.text('campaign_id', 100);
  if (campaign_id === null) {
    read.problem('campaign_id', 'required', 'must be the campaign that leads go to.');
    return '';
  }
  if (campaign_id === context.campaign_id) {
    const rule = 'must be another campaign: leads would come back to where they are from.';
    read.problem('campaign_id', 'not_allowed', rule);
  } else if (!(await collections.campaigns.findOne({ _id: campaign_id, org_id })))
    read.problem('campaign_id', 'not_allowed', `: there is no campaign ${campaign_id}.`);
  return campaign_id;
}

/** Who signs its requests, and needs a secret for it. */
export const isSigned = ({ action }: Pick<Automation, 'action'>): boolean => action === 'WEBHOOK';
