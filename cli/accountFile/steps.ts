/** The calls that apply a change set, in an order in which each finds what it needs. Pure. */
import { withoutKeys } from '../../src/lib/defined.js';
import { pingSettingsView } from '../../src/account/campaigns/pingSettings.js';
import { SYSTEM_FIELDS } from '../../src/fields/mapping.js';
import { sameShape, type Shape } from '../../src/account/rules/planShape.js';
import { automationSteps } from './automations.js';
import { fieldsBetween } from './checkFields.js';
import { CAP_KEYS } from './fileSchema.js';
import type { Terms } from './model.js';
import { funnelSteps } from './funnels.js';
import { deliveryInput, fieldsOf, headersInput, rowOf } from './normalize.js';
import type { ChangeSet, Difference, Step } from './difference.js';
import { isRow, type Row } from '../output/rows.js';
import { getOwn } from '../../src/lib/getOwn.js';

/**
 * Campaigns and their fields come first, since deliveries and filters name fields; then suppliers and buyers; then
 * the terms between them, buyers before suppliers, so that no lead arrives before a buyer can accept it. Fields
 * are removed, and a campaign is made ACTIVE, last. Funnels and automations need all of them.
 */
export function stepsOf({ differences }: ChangeSet, options: { withHeaders: boolean }): Step[] {
  const of = (kind: Difference['kind']) => differences.filter((one) => one.kind === kind);
  const campaigns = of('campaign');
  const names = [...new Set(differences.flatMap((one) => campaignOf(one) ?? []))];
  return [
    ...campaigns.flatMap(campaignFirst),
    ...of('supplier').map(supplierStep),
    ...of('buyer').flatMap((one) => buyerSteps(one, options)),
    ...names.flatMap((name) => [
      ...campaigns.filter((one) => one.name === name).flatMap(campaignThen),
      ...of('campaign_buyer')
        .filter(isOf(name))
        .map((one) => buyerLinkStep(one, options)),
      ...of('campaign_supplier').filter(isOf(name)).map(supplierLinkStep),
      ...campaigns.filter((one) => one.name === name).flatMap(campaignLast),
    ]),
    ...of('funnel').flatMap(funnelSteps),
    ...of('automation').flatMap((one) => automationSteps(one, options)),
  ];
}

const campaignOf = ({ kind, name, campaign }: Difference) =>
  kind === 'campaign' ? name : campaign;
const isOf = (name: string) => (one: Difference) => one.campaign === name;

/** Settings that differ, by their top key. */
function changed({ isNew, changes, wanted, before }: Difference): Terms {
  const keys = new Set(changes.map(({ path }) => path.split(/[.[ ]/)[0]));
  const { caps, ...terms } = Object.fromEntries(
    Object.entries(wanted).filter(([key]) => isNew || keys.has(key)),
  );
  return { ...terms, ...(caps === undefined ? {} : flatCaps(caps, before.caps)) };
}

/** On the wire each limit is a setting of its own; null removes one. */
function flatCaps(caps: unknown, before: unknown): Terms {
  const [to, from] = [rowOf(caps), rowOf(before)];
  const limitOf = (row: Row, key: string) => (getOwn(row, key) ?? null) as Shape;
  const keys = CAP_KEYS.filter((key) => !sameShape(limitOf(to, key), limitOf(from, key)));
  return Object.fromEntries(keys.map((key) => [key, getOwn(to, key) ?? null]));
}

function campaignFirst(one: Difference): Step[] {
  const { name, isNew, written } = one;
  if (!isNew) {
    if (!('fields' in changed(one))) return [];
    const own = fieldsOf(written);
    const between = fieldsBetween(ownOf(fieldsOf(one.before)), own);
    const fields = between ?? own;
    // Where fields are only removed, that is done last.
    const comes = fieldsOf(one.wanted).some((field) => !isAmong(field, fieldsOf(one.before)));
    const title = `campaign "${name}": fields`;
    return between && !comes ? [] : [fieldsStep(name, fields, title)];
  }
  const terms = withoutKeys(changed(one), ['ping']);
  const input = { name, ...terms, ...(terms.fields ? { fields: written.fields } : {}) };
  return [
    { action: 'create_campaign', input, title: `create campaign "${name}"` },
    ...pingStep(one),
  ];
}

/** How pings are answered: as written; settings that are not named stay. A new campaign has the defaults. */
function pingStep(one: Difference): Step[] {
  const { ping } = changed(one);
  if (ping === undefined) return [];
  if (one.isNew && sameShape(ping as Shape, pingSettingsView())) return [];
  const title = `campaign "${one.name}": ping settings`;
  const input = rowOf(one.written.ping);
  return [{ action: 'configure_ping_post', campaign: one.name, input, title }];
}

const fieldsStep = (campaign: string, fields: unknown, title: string): Step => ({
  action: 'update_field_mapping',
  campaign,
  input: { fields },
  title,
});

const isAmong = (field: object, fields: readonly object[]): boolean => {
  const text = JSON.stringify(Object.entries(field).toSorted());
  return fields.some((one) => JSON.stringify(Object.entries(one).toSorted()) === text);
};

const ownOf = <T extends { name: string }>(fields: readonly T[]): T[] =>
  fields.filter(({ name }) => !SYSTEM_FIELDS.some((system) => system.name === name));

function settingsStep(one: Difference): Step[] {
  const input = withoutKeys(changed(one), ['fields', 'filters', 'ping']);
  if (one.isNew || Object.keys(input).length === 0) return [];
  const title = `campaign "${one.name}": ${Object.keys(input).join(', ')}`;
  return [{ action: 'update_campaign', campaign: one.name, input, title }];
}

const isActivated = (one: Difference): boolean => changed(one).status === 'ACTIVE';

function campaignThen(one: Difference): Step[] {
  const { filters } = changed(one);
  if (one.isNew) return [];
  const settings = [...(isActivated(one) ? [] : settingsStep(one)), ...pingStep(one)];
  if (filters === undefined) return settings;
  const title = `campaign "${one.name}": filters`;
  return [
    ...settings,
    { action: 'update_inbound_filters', campaign: one.name, input: { filters }, title },
  ];
}

function campaignLast(one: Difference): Step[] {
  const settings = isActivated(one) ? settingsStep(one) : [];
  if (one.isNew || !('fields' in changed(one))) return settings;
  const own = fieldsOf(one.written);
  if (!fieldsBetween(ownOf(fieldsOf(one.before)), own)) return settings;
  return [fieldsStep(one.name, own, `campaign "${one.name}": removed fields`), ...settings];
}

function supplierStep(one: Difference): Step {
  const { name, isNew } = one;
  const input = changed(one);
  return isNew
    ? { action: 'create_supplier', input: { name, ...input }, title: `create supplier "${name}"` }
    : { action: 'update_supplier', supplier: name, input, title: `supplier "${name}"` };
}

function buyerSteps(one: Difference, options: { withHeaders: boolean }): Step[] {
  const { name, isNew, written, before } = one;
  const { delivery, ping, returns, ...input } = changed(one);
  const title = `buyer "${name}"`;
  const step = (action: Step['action'], what: string, given: object): Step => ({
    action,
    buyer: name,
    input: { ...given },
    title: title + what,
  });
  const sent = delivery ? deliveryInput(written.delivery, before.delivery, options) : undefined;
  const steps: Step[] = [];
  if (isNew) {
    const all = { name, ...input, delivery: sent };
    steps.push({ action: 'create_buyer', input: all, title: `create ${title}` });
  } else {
    if (Object.keys(input).length > 0) steps.push(step('update_buyer', '', input));
    if (sent) steps.push(step('set_buyer_delivery', ': delivery', sent));
  }
  if (ping)
    steps.push(step('set_buyer_ping', ': ping', headersInput(written.ping, before.ping, options)));
  if (returns) steps.push(step('set_buyer_returns', ': returns', rowOf(written.returns)));
  return steps;
}

function buyerLinkStep(one: Difference, options: { withHeaders: boolean }): Step {
  const { name, written, before } = one;
  const input = changed(one);
  // Null, which removes all overrides, is sent as it is.
  const delivery = isRow(input.delivery)
    ? { delivery: deliveryInput(written.delivery, before.delivery, options) }
    : {};
  return { ...linkStep(one, 'buyer'), buyer: name, input: { ...input, ...delivery } };
}

const supplierLinkStep = (one: Difference): Step => ({
  ...linkStep(one, 'supplier'),
  supplier: one.name,
  input: changed(one),
});

const linkStep = (
  { name, campaign = '', isNew }: Difference,
  kind: 'buyer' | 'supplier',
): Omit<Step, 'input'> => ({
  action: isNew ? `add_${kind}_to_campaign` : `update_campaign_${kind}`,
  campaign,
  title: `campaign "${campaign}": ${isNew ? 'add ' : ''}${kind} "${name}"`,
});
