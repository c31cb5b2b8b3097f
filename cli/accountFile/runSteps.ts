/** Applies a change set, as long as the account is as it was when the change set was made. */
import type { Client } from '../client/client.js';
import { CommandFailed, EXIT } from '../terminal/errors.js';
import { isRow, type Row } from '../output/rows.js';
import { sameCampaign, sameTerms } from './changes.js';
import { TERM_KEYS } from './fileSchema.js';
import type { Account, Named, Stored, StoredCampaign } from './model.js';
import type { Difference, ChangeSet } from './difference.js';
import { campaignOf, readBuyer, readCampaign, rowsOf, storedOf, termsOf } from './readAccount.js';
import type { Step } from './difference.js';
import { getOwn } from '../../src/lib/getOwn.js';

/** A value that the server returns only when it creates it. */
export interface Secret {
  kind: 'buyer' | 'supplier';
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
  const refuse = (kind: string, name: string): never => {
    throw changedMeanwhile(`${kind} "${name}"`, 'Nothing was done.');
  };
  const of = (...kinds: Difference['kind'][]) =>
    differences.filter(({ kind }) => kinds.includes(kind));
  const campaignNames = of('campaign', 'campaign_buyer', 'campaign_supplier').map(
    ({ name, campaign }) => campaign ?? name,
  );
  const seen = async (action: string) =>
    new Map((await rowsOf(client, action)).map((row) => [String(row.name), row]));
  const campaigns =
    campaignNames.length === 0 ? new Map<string, Row>() : await seen('list_campaigns');
  for (const name of new Set(campaignNames)) {
    const before = account.campaigns.find((one) => one.name === name);
    const now = campaigns.get(name);
    if (now?.id !== before?.id || now?.version !== before?.version) refuse('campaign', name);
  }
  const suppliers =
    of('supplier').length === 0 ? new Map<string, Row>() : await seen('list_suppliers');
  for (const { name, before, isNew } of of('supplier')) {
    const row = suppliers.get(name);
    const isSame = row ? sameTerms(termsOf(row, TERM_KEYS.supplier), before) : isNew;
    if (!isSame || (row && isNew)) refuse('supplier', name);
  }
  const funnels = of('funnel').length === 0 ? new Map<string, Row>() : await seen('list_funnels');
  for (const { name } of of('funnel')) {
    const before = account.funnels.find((one) => one.name === name);
    const now = funnels.get(name);
    if (now?.id !== before?.id || now?.version !== before?.version) refuse('funnel', name);
  }
  const buyers = of('buyer').length === 0 ? new Map<string, Row>() : await seen('list_buyers');
  for (const { name, before, isNew } of of('buyer')) {
    const row = buyers.get(name);
    if (!row !== isNew) refuse('buyer', name);
    if (row && !sameTerms((await readBuyer(client, String(row.id))).terms, before))
      refuse('buyer', name);
  }
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
function idsOf({ buyers, suppliers, campaigns, funnels }: Account) {
  const known = (records: readonly Stored[]) => new Map(records.map(({ name, id }) => [name, id]));
  const ids = {
    buyer: known(buyers),
    supplier: known(suppliers),
    campaign: known(campaigns),
    funnel: known(funnels),
  };
  const kinds = ['campaign', 'buyer', 'supplier', 'funnel'] as const;
  return {
    of: (step: Step): Row =>
      Object.fromEntries(
        kinds.flatMap((kind) => {
          const name = step[kind];
          return name === undefined ? [] : [[`${kind}_id`, ids[kind].get(name)]];
        }),
      ),
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
  const kind =
    action === 'create_buyer' ? 'buyer' : action === 'create_supplier' ? 'supplier' : null;
  if (!kind) return [];
  return ['webhook_secret', 'signing_secret', 'api_key'].flatMap((secret) => {
    const value = getOwn(data, secret);
    return typeof value === 'string' ? [{ kind, name: String(input.name), secret, value }] : [];
  });
}
