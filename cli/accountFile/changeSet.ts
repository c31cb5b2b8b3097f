/** Finds the records in which an account differs from a file. Pure. */
import { SYSTEM_FIELDS } from '../../src/fields/mapping.js';
import { changesOf } from './changes.js';
import { checkFieldsLeft } from './checkFields.js';
import {
  fieldsOf,
  normalizeBuyer,
  normalizeBuyerLink,
  normalizeCampaign,
  normalizeSupplier,
  normalizeSupplierLink,
  type Context,
} from './normalize.js';
import type { ChangeSet, Difference, Kind, LeftOut } from './difference.js';
import { funnelDifference } from './funnels.js';
import { hintOf } from './readFile.js';
import { byName } from './model.js';
import type { Account, AccountFile, Complain, Named, Problem, Terms } from './model.js';
import type { Written, WrittenCampaign } from './model.js';

export type ChangeSetResult =
  { ok: true; changeSet: ChangeSet } | { ok: false; problems: Problem[] };

/** @param withHeaders includes values of existing headers, which cannot be compared */
export function createChangeSet(
  file: AccountFile,
  account: Account,
  { withHeaders }: { withHeaders: boolean },
): ChangeSetResult {
  const problems: Problem[] = [];
  const complain: Complain = (path, message) => void problems.push({ path, message });
  const context = { withHeaders, fieldNames: fieldNamesOf(file, account) };
  const buyers = byName(file.buyers).flatMap((one) =>
    buyerDifference(one, account, context, complain),
  );
  const differences = [
    ...buyers,
    ...byName(file.suppliers).flatMap((one) => supplierDifference(one, account, complain)),
    ...byName(file.campaigns).flatMap((one) =>
      campaignDifferences(one, account, { file, context, buyers }, complain),
    ),
    ...byName(file.funnels).flatMap((one) => funnelDifference(one, file, account, complain)),
  ];
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, changeSet: { differences, leftOut: leftOutOf(file, account) } };
}

const found = <T extends Named>(records: readonly T[], name: string): T | undefined =>
  records.find((one) => one.name === name);

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

function buyerDifference(
  { name, terms, path }: Written,
  { buyers }: Account,
  context: Context,
  complain: Complain,
): Difference[] {
  const stored = found(buyers, name);
  const wanted = normalizeBuyer(terms, stored?.terms, context, path, complain);
  return difference({ kind: 'buyer', name }, terms, wanted, stored);
}

function supplierDifference(
  { name, terms, path }: Written,
  { suppliers }: Account,
  complain: Complain,
): Difference[] {
  const stored = found(suppliers, name);
  const wanted = normalizeSupplier(terms, stored?.terms, path, complain);
  return difference({ kind: 'supplier', name }, terms, wanted, stored);
}

function campaignDifferences(
  written: WrittenCampaign,
  account: Account,
  { file, context, buyers: changed }: { file: AccountFile; context: Context; buyers: Difference[] },
  complain: Complain,
): Difference[] {
  const { name, terms, path } = written;
  const stored = found(account.campaigns, name);
  const wanted = normalizeCampaign(terms, stored?.terms, path, complain);
  const rules = fieldsOf(wanted, stored?.terms, { fields: SYSTEM_FIELDS });
  const buyers = byName(written.buyers).flatMap((link) => {
    mustExist('buyer', link, [...file.buyers, ...account.buyers], complain);
    const linked = stored && found(stored.buyers, link.name);
    const delivery = {
      buyer: deliveryOf(link.name, changed, account),
      before: linked?.terms.delivery,
      context,
    };
    const normal = normalizeBuyerLink(link.terms, rules, delivery, link.path, complain);
    const record = { kind: 'campaign_buyer', name: link.name, campaign: name } as const;
    return difference(record, link.terms, normal, linked);
  });
  const suppliers = byName(written.suppliers).flatMap((link) => {
    mustExist('supplier', link, [...file.suppliers, ...account.suppliers], complain);
    const linked = stored && found(stored.suppliers, link.name);
    const normal = normalizeSupplierLink(link.terms, link.path, complain);
    const record = { kind: 'campaign_supplier', name: link.name, campaign: name } as const;
    return difference(record, link.terms, normal, linked);
  });
  if (stored) checkFieldsLeft(stored, wanted, written, path, complain);
  return [
    ...difference({ kind: 'campaign', name }, terms, wanted, stored),
    ...buyers,
    ...suppliers,
  ];
}

/** The buyer's own delivery after the file is applied. */
function deliveryOf(name: string, changed: readonly Difference[], { buyers }: Account): unknown {
  const wanted = changed.find((one) => one.name === name)?.wanted.delivery;
  return wanted ?? found(buyers, name)?.terms.delivery;
}

function mustExist(
  kind: 'buyer' | 'supplier',
  { name, path }: Written,
  known: readonly Named[],
  complain: Complain,
): void {
  if (found(known, name)) return;
  const where = `neither in this file nor in the account.${hintOf(name, known)}`;
  complain([...path, kind], `: there is no ${kind} "${name}", ${where}`);
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
  ];
}
