/** The target of an automation, as a person sets it up. */
import type { AccountContext } from '../account/context.js';
import { automationHeadersPlace, automationUrlPlace } from '../account/rules/sealedPlaces.js';
import type { Keyring } from '../platform/security/seal.js';
import { RESERVED_HEADERS } from '../account/rules/reservedHeaders.js';
import { withoutKeys } from '../lib/defined.js';
import { didYouMean } from '../lib/nearest.js';
import { layOver, readParts, refuseProblems, type Problem } from '../lib/schema/zodIssues.js';
import type { FieldRule } from '../fields/fieldRule.js';
import type { EventType } from '../events/rules/events.js';
import { eventColumns, isEventColumn } from './rules/eventRow.js';
import type { AutomationDoc, AutomationTarget } from '../account/store/automationDocs.js';
import { TARGETS, type AutomationAction, type TargetInput } from './automationSchema.js';
import type { AccountCollections } from '../account/store/collections.js';
import { COLUMNS_MAX } from '../account/buyers/settingKinds.js';
import { mergeHeaders, hiddenHeaders, HIDDEN_HEADER } from '../account/buyers/delivery/headers.js';
import { urlProblems } from '../account/buyers/delivery/method.js';

export interface TargetContext extends Pick<AccountContext, 'orgId' | 'keyring' | 'policy'> {
  collections: Pick<AccountCollections, 'campaigns'>;
  automation_id: string;
  trigger: EventType;
  /** The automation is for this campaign only. */
  campaign_id: string | null;
}

/**
 * A complete target from what was given, over `current` of the same action. Values that hold keys of others are sealed.
 * @throws {AppError} `validation_failed` naming every setting that is not valid
 */
export async function checkTarget<A extends AutomationAction>(
  action: A,
  input: TargetInput,
  context: TargetContext,
  current?: AutomationTarget,
): Promise<Extract<AutomationTarget, { action: A }>> {
  const before = current && openTarget(current, context.automation_id, context.keyring);
  // The placeholder shown for a secret address means the stored one.
  const given = input.url === HIDDEN_HEADER && before?.url ? { ...input, url: before.url } : input;
  const laid = layOver(given, before, Object.keys(TARGETS[action].shape));
  const { target, problems } = await readTarget(action, { laid, before }, context);
  refuseProblems('target', problems);
  return target as Extract<AutomationTarget, { action: A }>;
}

/**
 * Settings that have a problem are missing from the result.
 * @param laid what was given, over what is stored
 */
async function readTarget(
  action: AutomationAction,
  { laid, before }: { laid: Record<string, unknown>; before: OpenTarget | undefined },
  context: TargetContext,
): Promise<{ target: AutomationTarget; problems: Problem[] }> {
  const { policy, keyring, automation_id: id } = context;
  const read = <A extends AutomationAction>(of: A, input: object) =>
    readParts(TARGETS[of], input, (hint) => unknownKey(of, hint));
  switch (action) {
    case 'WEBHOOK': {
      // Kept headers are not among the given ones.
      const { headers, problems } = mergeHeaders(laid, before, RESERVED_HEADERS);
      const { values, problems: others } = read(action, withoutKeys(laid, ['headers']));
      const sealed =
        Object.keys(headers).length === 0
          ? undefined
          : keyring.seal(JSON.stringify(headers), automationHeadersPlace(id));
      return {
        target: { action, target: { url: values.url ?? '', headers: sealed } },
        problems: [...others, ...urlProblems(values.url, policy, before?.url), ...problems],
      };
    }
    case 'SLACK': {
      const { values, problems } = read(action, laid);
      return {
        target: { action, target: { url: keyring.seal(values.url ?? '', automationUrlPlace(id)) } },
        problems: [...problems, ...urlProblems(values.url, policy, before?.url)],
      };
    }
    case 'EMAIL': {
      const { values, problems } = read(action, laid);
      return {
        target: { action, target: { to: values.to ?? [], checked: true } },
        problems: policy.mail === true ? problems : [NO_MAIL, ...problems],
      };
    }
    case 'GOOGLE_SHEET': {
      const { values, problems } = read(action, laid);
      const { spreadsheet_id = '', sheet = null, columns = null } = values;
      const known = await checkColumns(columns, context);
      return {
        target: { action, target: { spreadsheet_id, sheet, columns: known.columns } },
        problems: [...(policy.sheets === true ? [] : [NO_SHEETS]), ...problems, ...known.problems],
      };
    }
    case 'REDISTRIBUTE': {
      const { values, problems } = read(action, laid);
      const { campaign_id = '' } = values;
      const wrong = campaign_id === '' ? [] : await campaignProblems(campaign_id, context);
      return { target: { action, target: { campaign_id } }, problems: [...problems, ...wrong] };
    }
  }
}

function unknownKey(action: AutomationAction, hint: string): string {
  const has = hint === '' ? ` It has ${Object.keys(TARGETS[action].shape).join(', ')}.` : hint;
  return `is not a setting of the action ${action}.${has}`;
}

const NO_MAIL: Problem = {
  path: ['to'],
  code: 'not_allowed',
  rule: 'needs a mail server: set SMTP_URL and SMTP_FROM',
};
const NO_SHEETS: Problem = {
  path: ['spreadsheet_id'],
  code: 'not_allowed',
  rule: 'needs a service account: set GOOGLE_SERVICE_ACCOUNT_FILE',
};

/** The fields of a campaign; null: of every campaign, each name once. */
export async function fieldsOf(
  { collections, orgId: org_id }: Pick<TargetContext, 'collections' | 'orgId'>,
  campaign_id: string | null,
): Promise<FieldRule[]> {
  const of = campaign_id === null ? { org_id } : { _id: campaign_id, org_id };
  const found = await collections.campaigns.find(of, { projection: { fields: 1 } }).toArray();
  return [...new Map(found.flatMap((one) => one.fields.map((rule) => [rule.name, rule]))).values()];
}

/** Columns for events of its campaign, or of any; all possible ones where none are named. */
async function checkColumns(
  columns: readonly string[] | null,
  context: TargetContext,
): Promise<{ columns: string[]; problems: Problem[] }> {
  const { campaign_id, trigger } = context;
  const fields = (await fieldsOf(context, campaign_id)).map(({ name }) => name);
  const known = eventColumns(trigger, fields);
  if (columns === null) return { columns: known.slice(0, COLUMNS_MAX), problems: [] };
  const problems = columns
    .filter((one) => !isEventColumn(one, trigger, fields))
    .map((name): Problem => {
      const rule = `names "${name.slice(0, 60)}", which ${trigger} does not have.${didYouMean(name, known)}`;
      return { path: ['columns'], code: 'not_allowed', rule };
    });
  return { columns: [...new Set(columns)], problems };
}

async function campaignProblems(
  campaignId: string,
  { collections, orgId: org_id, campaign_id }: TargetContext,
): Promise<Problem[]> {
  const problem = (rule: string): Problem[] => [
    { path: ['campaign_id'], code: 'not_allowed', rule },
  ];
  if (campaignId === campaign_id)
    return problem('must be another campaign: leads would return to the campaign they come from');
  const known = await collections.campaigns.findOne({ _id: campaignId, org_id });
  return known ? [] : problem(`: there is no campaign ${campaignId}`);
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

function openTarget(stored: AutomationTarget, id: string, keyring: Keyring): OpenTarget {
  switch (stored.action) {
    case 'WEBHOOK': {
      const { url, headers } = stored.target;
      const opened = headers
        ? (JSON.parse(keyring.open(headers, automationHeadersPlace(id))) as Record<string, string>)
        : {};
      return { url, headers: opened };
    }
    case 'SLACK':
      return { url: keyring.open(stored.target.url, automationUrlPlace(id)) };
    case 'EMAIL':
      return { to: stored.target.to };
    case 'GOOGLE_SHEET':
    case 'REDISTRIBUTE':
      return stored.target;
  }
}

/** As it is shown: without header values, and without an address that is a secret. */
export function shownTarget(
  stored: AutomationTarget & Pick<AutomationDoc, '_id'>,
  keyring: Keyring,
): OpenTarget {
  const target = openTarget(stored, stored._id, keyring);
  if (stored.action === 'SLACK') return { url: HIDDEN_HEADER };
  return target.headers ? { ...target, headers: hiddenHeaders(target.headers) } : { ...target };
}
