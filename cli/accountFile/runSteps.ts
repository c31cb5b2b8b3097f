/** Applies a change set, as long as the account is as it was when the change set was made. */
import type { Client } from '../client/client.js';
import { CommandFailed, EXIT } from '../terminal/errors.js';
import { isRow, type Row } from '../output/rows.js';
import { sameCampaign, sameTerms } from './changes.js';
import { TERM_KEYS } from './fileSchema.js';
import {
  found,
  type Account,
  type Named,
  type Stored,
  type StoredCampaign,
  type StoredFunnel,
  type Terms,
} from './model.js';
import { storedAutomation } from './automations.js';
import { rowOf } from './normalize.js';
import type { Difference, ChangeSet } from './difference.js';
import { campaignOf, readBuyer, readCampaign, rowsOf, storedOf } from './readAccount.js';
import type { Step } from './difference.js';
import { getOwn } from '../../src/lib/getOwn.js';

/** A value that the server returns only when it creates it. */
export interface Secret {
  kind: 'buyer' | 'supplier' | 'automation';
  name: string;
  secret: string;
  value: string;
}

export interface Progress {
  /** Called with each step as it begins. */
  begin: (step: Step, number: number) => void;
  /** Called at once with the secrets of a step: they must not be lost, whatever follows. */
  secrets: (secrets: Secret[]) => void;
}

const changedMeanwhile = (label: string, done: string): CommandFailed =>
  new CommandFailed(
    `The account has changed since the plan was created: ${label}. ${done}`,
    EXIT.failed,
    'See what is left to do: leadwire diff -f FILE',
  );

/**
 * Checks again all records that will be changed: the person may have taken long to confirm.
 * @throws {CommandFailed} naming the first record that has changed since
 */
export async function verify(
  client: Client,
  { differences }: ChangeSet,
  account: Account,
): Promise<void> {
  for (const kind of ['campaign', 'supplier', 'funnel', 'buyer', 'automation'] as const) {
    // A link belongs to the version of its campaign.
    const ofKind = differences.filter(
      (one) => one.kind === kind || (kind === 'campaign' && one.campaign !== undefined),
    );
    if (ofKind.length === 0) continue;
    const rows = await rowsOf(client, `list_${kind}s`, ARCHIVED[kind]);
    const now = new Map(rows.map((row) => [String(row.name), row]));
    const nameOf = (id: string) => account.campaigns.find((one) => one.id === id)?.name;
    const termsIn = (row: Row) => termsOf(client, row, kind, nameOf);
    for (const one of ofKind) {
      const name = one.campaign ?? one.name;
      const row = now.get(name);
      const isSame =
        kind === 'campaign' || kind === 'funnel'
          ? isOfVersion(row, found(account[`${kind}s`], name))
          : await hasTerms(row, one, termsIn);
      if (!isSame) throw changedMeanwhile(`${kind} "${name}"`, 'Nothing was done.');
    }
  }
}

const isOfVersion = (row: Row | undefined, before: StoredCampaign | StoredFunnel | undefined) =>
  row?.id === before?.id && row?.version === before?.version;

/** Archived records have their names, too. */
const ARCHIVED: Partial<Record<string, Row>> = {
  campaign: { include_archived: true },
  buyer: { include_archived: true },
};

/** Whether a record that has no versions is as it was: a new one is not there. */
async function hasTerms(
  row: Row | undefined,
  { before, isNew }: Difference,
  termsIn: (row: Row) => Promise<Terms | undefined>,
): Promise<boolean> {
  if (!row || isNew) return !row && isNew;
  return sameTerms((await termsIn(row)) ?? {}, before);
}

async function termsOf(
  client: Client,
  row: Row,
  kind: string,
  nameOf: (campaignId: string) => string | undefined,
): Promise<Terms | undefined> {
  if (kind === 'buyer') return (await readBuyer(client, String(row.id))).terms;
  if (kind === 'automation') return storedAutomation(row, nameOf)?.terms;
  return storedOf(row, TERM_KEYS.supplier).terms;
}

/** The actions that accept the version of a campaign from which they were made. */
const VERSIONED: ReadonlySet<string> = new Set([
  'update_campaign',
  'update_field_mapping',
  'update_inbound_filters',
  'configure_ping_post',
]);

/**
 * Runs one step after the other. After a failure a second run does the rest.
 * @throws {CommandFailed} where another caller has changed a campaign meanwhile
 * @throws {Refused | Unreachable}
 */
export async function runSteps(
  client: Client,
  steps: readonly Step[],
  account: Account,
  progress: Progress,
): Promise<void> {
  const ids = idsOf(account);
  const campaigns = new Map(account.campaigns.map((one) => [one.name, one]));
  let last: string | undefined;
  for (const [index, step] of steps.entries()) {
    progress.begin(step, index + 1);
    const known = step.campaign === undefined ? undefined : campaigns.get(step.campaign);
    const isVersioned = VERSIONED.has(step.action);
    let version: number | undefined;
    if (known && (isVersioned || step.campaign !== last)) {
      const now = await readCampaign(client, known.id);
      if (!sameCampaign(now, known))
        throw changedMeanwhile(
          `campaign "${known.name}"`,
          `${index} of ${steps.length} steps are done.`,
        );
      version = now.version;
    }
    last = step.campaign;
    const input = {
      ...ids.of(step),
      ...step.input,
      ...ids.named(step),
      ...(isVersioned && version !== undefined ? { expected_version: version } : {}),
    };
    const { data } = await client.run(step.action, input);
    if (!isRow(data)) continue;
    progress.secrets(secretsOf(step, data));
    ids.take(step, data);
    if (known) campaigns.set(known.name, afterStep(known, step, data));
  }
}

/** The ids of existing records, and of those that are created. */
function idsOf({ buyers, suppliers, campaigns, funnels, automations }: Account) {
  const known = (records: readonly Stored[]) => new Map(records.map(({ name, id }) => [name, id]));
  const ids = {
    buyer: known(buyers),
    supplier: known(suppliers),
    campaign: known(campaigns),
    funnel: known(funnels),
    automation: known(automations),
  };
  const kinds = ['campaign', 'buyer', 'supplier', 'funnel', 'automation'] as const;
  return {
    of: (step: Step): Row =>
      Object.fromEntries(
        kinds.flatMap((kind) => {
          const name = step[kind];
          const id = name === undefined ? undefined : ids[kind].get(name);
          return id === undefined ? [] : [[`${kind}_id`, id]];
        }),
      ),
    named({ named: { campaign, target } = {}, input }: Step): Row {
      const idOf = (name: string) => ids.campaign.get(name) ?? null;
      return {
        ...(campaign === undefined ? {} : { campaign_id: idOf(campaign) }),
        ...(target === undefined
          ? {}
          : { target: { ...rowOf(input.target), campaign_id: idOf(target) } }),
      };
    },
    take({ action, input }: Step, data: Row) {
      const kind = kinds.find((one) => action === `create_${one}`);
      if (kind) ids[kind].set(String(input.name), String(data.id));
    },
  };
}

/** The campaign after a step of our own: any other difference was made by another caller. */
function afterStep(known: StoredCampaign, step: Step, data: Row): StoredCampaign {
  if (step.action === 'create_funnel') return known;
  if (VERSIONED.has(step.action)) return campaignOf(data, TERM_KEYS.campaign);
  const put = (links: readonly Named[], name: string, keys: readonly string[]): Named[] => [
    ...links.filter((link) => link.name !== name),
    storedOf({ ...data, name }, keys),
  ];
  const { buyer, supplier } = step;
  return {
    ...known,
    buyers: buyer === undefined ? known.buyers : put(known.buyers, buyer, TERM_KEYS.buyerLink),
    suppliers:
      supplier === undefined
        ? known.suppliers
        : put(known.suppliers, supplier, TERM_KEYS.supplierLink),
  };
}

function secretsOf({ action, input }: Step, data: Row): Secret[] {
  const kind = (['buyer', 'supplier', 'automation'] as const).find(
    (one) => action === `create_${one}`,
  );
  if (!kind) return [];
  return ['webhook_secret', 'signing_secret', 'api_key', 'secret'].flatMap((secret) => {
    const value = getOwn(data, secret);
    return typeof value === 'string' ? [{ kind, name: String(input.name), secret, value }] : [];
  });
}
