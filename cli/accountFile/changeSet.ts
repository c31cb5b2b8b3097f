/** Finds the records in which an account differs from a file. Pure. */
import { SYSTEM_FIELDS } from '../../src/fields/mapping.js';
import { automationDifference } from './automations.js';
import { changesOf } from './changes.js';
import { checkFieldsLeft } from './checkFields.js';
import {
  fieldsOf,
  normalizeBuyer,
  normalizeBuyerLink,
  normalizeCampaign,
  normalizeSupplier,
  normalizeSupplierLink,
} from './normalize.js';
import type { ChangeSet, Difference, Kind, LeftOut } from './difference.js';
import { funnelDifference } from './funnels.js';
import {
  byName,
  found,
  type Account,
  type AccountFile,
  type Comparison,
  type Named,
  type Problem,
  type Terms,
  type WrittenCampaign,
  mustExist,
} from './model.js';

export type ChangeSetResult =
  { ok: true; changeSet: ChangeSet } | { ok: false; problems: Problem[] };

/** @param withHeaders includes values of existing headers, which cannot be compared */
export function createChangeSet(
  file: AccountFile,
  account: Account,
  { withHeaders }: { withHeaders: boolean },
): ChangeSetResult {
  const problems: Problem[] = [];
  const comparison: Comparison = {
    file,
    account,
    withHeaders,
    fieldNames: fieldNamesOf(file, account),
    complain: (path, message) => void problems.push({ path, message }),
  };
  const buyers = byName(file.buyers).flatMap((one) => {
    const stored = found(account.buyers, one.name);
    const wanted = normalizeBuyer(one, stored?.terms, comparison);
    return difference({ kind: 'buyer', name: one.name }, one.terms, wanted, stored);
  });
  const suppliers = byName(file.suppliers).flatMap((one) => {
    const stored = found(account.suppliers, one.name);
    const wanted = normalizeSupplier(one, stored?.terms, comparison);
    return difference({ kind: 'supplier', name: one.name }, one.terms, wanted, stored);
  });
  const differences = [
    ...buyers,
    ...suppliers,
    ...byName(file.campaigns).flatMap((one) => campaignDifferences(one, buyers, comparison)),
    ...byName(file.funnels).flatMap((one) => funnelDifference(one, comparison)),
    ...byName(file.automations).flatMap((one) => automationDifference(one, comparison)),
  ];
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, changeSet: { differences, leftOut: leftOutOf(file, account) } };
}

function difference(
  record: Pick<Difference, 'kind' | 'name' | 'campaign'>,
  written: Terms,
  wanted: Terms,
  stored: Named | undefined,
): Difference[] {
  const before = stored?.terms ?? {};
  const changes = changesOf(stored && before, wanted, written);
  if (stored && changes.length === 0) return [];
  return [{ ...record, isNew: !stored, changes, written, wanted, before }];
}

/** @param changed the differences of buyers */
function campaignDifferences(
  written: WrittenCampaign,
  changed: readonly Difference[],
  comparison: Comparison,
): Difference[] {
  const { name, terms } = written;
  const { account } = comparison;
  const stored = found(account.campaigns, name);
  const wanted = normalizeCampaign(written, stored?.terms, comparison);
  const rules = fieldsOf(wanted, stored?.terms, { fields: SYSTEM_FIELDS });
  const buyers = byName(written.buyers).flatMap((link) => {
    mustExist('buyer', link.name, link.path, comparison);
    const linked = stored && found(stored.buyers, link.name);
    const delivery = deliveryOf(link.name, changed, account);
    const base = { rules, delivery, before: linked?.terms.delivery };
    const normal = normalizeBuyerLink(link, base, comparison);
    const record = { kind: 'campaign_buyer', name: link.name, campaign: name } as const;
    return difference(record, link.terms, normal, linked);
  });
  const suppliers = byName(written.suppliers).flatMap((link) => {
    mustExist('supplier', link.name, link.path, comparison);
    const linked = stored && found(stored.suppliers, link.name);
    const normal = normalizeSupplierLink(link, comparison);
    const record = { kind: 'campaign_supplier', name: link.name, campaign: name } as const;
    return difference(record, link.terms, normal, linked);
  });
  if (stored) checkFieldsLeft(written, wanted, stored, comparison);
  return [
    ...difference({ kind: 'campaign', name }, terms, wanted, stored),
    ...buyers,
    ...suppliers,
  ];
}

/** The buyer's own delivery after the file is applied. */
function deliveryOf(name: string, changed: readonly Difference[], { buyers }: Account): unknown {
  const wanted = found(changed, name)?.wanted.delivery;
  return wanted ?? found(buyers, name)?.terms.delivery;
}

function fieldNamesOf({ campaigns }: AccountFile, account: Account): string[] {
  const all = [...campaigns, ...account.campaigns].flatMap(({ terms }) => fieldsOf(terms));
  return [...new Set([...SYSTEM_FIELDS, ...all].map(({ name }) => name))];
}

function leftOutOf(file: AccountFile, account: Account): LeftOut[] {
  const others = (kind: Kind, stored: readonly Named[], written: readonly Named[]): LeftOut[] =>
    byName(stored)
      .filter(({ name }) => !found(written, name))
      .map(({ name }) => ({ kind, name }));
  const links = byName(file.campaigns).flatMap((campaign) => {
    const stored = found(account.campaigns, campaign.name);
    return [
      ...others('campaign_buyer', stored?.buyers ?? [], campaign.buyers),
      ...others('campaign_supplier', stored?.suppliers ?? [], campaign.suppliers),
    ].map((link) => ({ ...link, campaign: campaign.name }));
  });
  return [
    ...others('buyer', account.buyers, file.buyers),
    ...others('supplier', account.suppliers, file.suppliers),
    ...others('campaign', account.campaigns, file.campaigns),
    ...links,
    ...others('funnel', account.funnels, file.funnels),
    ...others('automation', account.automations, file.automations),
  ];
}
