/** Automations of a file: matched by their names, with the names of their campaigns. */
import type { z } from 'zod';
import { TARGETS, type AutomationAction } from '../../src/automations/automationSchema.js';
import { HIDDEN_HEADER } from '../../src/account/buyers/delivery/headers.js';
import { SYSTEM_FIELDS } from '../../src/fields/mapping.js';
import type { FieldRule } from '../../src/fields/fieldRule.js';
import { pickKeys } from '../../src/lib/defined.js';
import { getOwn } from '../../src/lib/getOwn.js';
import { problemsOf } from '../../src/lib/schema/zodIssues.js';
import { isRow, type Row } from '../output/rows.js';
import { changesOf, NEW_VALUE } from './changes.js';
import type { Difference, Step } from './difference.js';
import {
  found,
  mustExist,
  type Comparison,
  type Stored,
  type Terms,
  type Written,
} from './model.js';
import { conditionsOf, fieldsOf, headersInput, rowOf } from './normalize.js';

/**
 * An automation as `list_automations` returns it. Null for the webhook of a supplier, which belongs to the supplier, and
 * where its campaign is gone.
 * @param nameOf the name of a campaign
 */
export function storedAutomation(
  view: Row,
  nameOf: (campaignId: string) => string | undefined,
): Stored | null {
  const { id, name, trigger, action, conditions, status, campaign_id } = view;
  if (view.supplier_id !== null && view.supplier_id !== undefined) return null;
  const campaign = campaign_id === null ? null : nameOf(campaign_id as string);
  const { campaign_id: receiver, ...target } = rowOf(view.target);
  const to = action === 'REDISTRIBUTE' ? { campaign: nameOf(String(receiver)) } : target;
  if (campaign === undefined || ('campaign' in to && to.campaign === undefined)) return null;
  // One that the service has disabled has no status in a file: what is not named stays.
  const settings = { trigger, action, campaign, conditions, target: to };
  const terms = status === 'disabled' ? settings : { ...settings, status };
  return { id: String(id), name: String(name), terms };
}

/** The differences of an automation of the file; empty where there are none. */
export function automationDifference(written: Written, comparison: Comparison): Difference[] {
  const { name, terms, path } = written;
  const { account, complain } = comparison;
  const stored = found(account.automations, name);
  const before = stored?.terms ?? {};
  const action = terms.action as AutomationAction;
  if (stored && action !== before.action)
    complain([...path, 'action'], ` of an automation stays as it is: ${String(before.action)}.`);
  if (typeof terms.campaign === 'string') mustExist('campaign', terms.campaign, path, comparison);
  const conditions = conditionsIn(written, before, comparison);
  const target = targetIn(written, before, comparison);
  const wanted = {
    ...terms,
    ...(conditions === undefined ? {} : { conditions }),
    ...(target === undefined ? {} : { target }),
  };
  const changes = changesOf(stored && before, wanted, { ...terms, target });
  if (stored && changes.length === 0) return [];
  return [{ kind: 'automation', name, isNew: !stored, changes, written: terms, wanted, before }];
}

/** In the form that the server stores, by the fields of its campaign or of any. */
function conditionsIn(written: Written, before: Terms, comparison: Comparison): unknown {
  if (written.terms.conditions === undefined) return undefined;
  const campaign = (written.terms.campaign ?? before.campaign ?? null) as string | null;
  return conditionsOf(written, rulesFor(campaign, comparison), comparison);
}

/** The fields of a campaign as the file leaves them; null: those of every campaign, each once. */
function rulesFor(campaign: string | null, { file, account }: Comparison): FieldRule[] {
  const names = [...file.campaigns, ...account.campaigns].map((one) => one.name);
  const wanted = campaign === null ? new Set(names) : new Set([campaign]);
  const rules = [...wanted].flatMap((name) =>
    fieldsOf(found(file.campaigns, name)?.terms, found(account.campaigns, name)?.terms),
  );
  return [...new Map([...SYSTEM_FIELDS, ...rules].map((rule) => [rule.name, rule])).values()];
}

/** The settings of the target that the file names, as they are stored; reports those that are not valid. */
function targetIn(written: Written, before: Terms, comparison: Comparison): Row | undefined {
  const { terms, path } = written;
  const given = rowOf(terms.target);
  const action = terms.action as AutomationAction;
  if (action === 'REDISTRIBUTE') {
    mustExist(
      'campaign',
      typeof given.campaign === 'string' ? given.campaign : '',
      [...path, 'target'],
      comparison,
    );
    return given;
  }
  const { shape } = TARGETS[action];
  const read = Object.entries(targetInput(terms, before, comparison)).flatMap(
    ([key, value]): [string, unknown][] => {
      const schema = getOwn(shape as Record<string, z.ZodType>, key);
      if (key === 'columns' && value === null) return [];
      if (!schema) {
        const known = Object.keys(shape).join(', ');
        comparison.complain([...path, 'target', key], ` is no setting of ${action}: ${known}.`);
        return [];
      }
      // A hidden value stands for the stored one.
      const parsed = schema.safeParse(value, { reportInput: true });
      if (parsed.success) return [[key, parsed.data]];
      for (const { rule } of problemsOf(parsed.error))
        comparison.complain([...path, 'target', key], ` ${rule}.`);
      return [];
    },
  );
  const target: Row = Object.fromEntries(read);
  if (action !== 'SLACK') return target;
  if (target.url === HIDDEN_HEADER && !isRow(before.target))
    comparison.complain([...path, 'target', 'url'], ': a new automation needs the address itself.');
  // The address is a secret: a new one is not shown.
  return target.url === HIDDEN_HEADER ? target : { ...target, url: NEW_VALUE };
}

/** The one call that creates or changes it. */
export function automationSteps(
  { name, isNew, changes, written, wanted, before }: Difference,
  options: { withHeaders: boolean },
): Step[] {
  const differs = (key: string) => changes.some(({ path }) => path.split(/[.[ ]/)[0] === key);
  const keys = ['trigger', 'conditions', 'status', 'target'].filter(
    (key) => key in wanted && (isNew || differs(key)),
  );
  const { target, ...input } = pickKeys(wanted as Record<string, unknown>, keys);
  const sent = target === undefined ? undefined : targetInput(written, before, options);
  const to = isRow(sent) && typeof sent.campaign === 'string' ? sent.campaign : undefined;
  const isMoved = 'campaign' in wanted && (isNew || differs('campaign'));
  const campaign = isMoved ? (wanted.campaign as string | null) : undefined;
  return [
    {
      action: isNew ? 'create_automation' : 'update_automation',
      automation: name,
      input: {
        ...(isNew ? { name, action: wanted.action } : {}),
        ...input,
        ...(sent === undefined ? {} : { target: to === undefined ? sent : {} }),
        ...(campaign === null ? { campaign_id: null } : {}),
      },
      named: { campaign: campaign ?? undefined, target: to },
      title: `${isNew ? 'create ' : ''}automation "${name}"`,
    },
  ];
}

/** As it is sent: what cannot be compared, headers and the address of Slack, is kept unless it is to be set. */
function targetInput(written: Terms, before: Terms, options: { withHeaders: boolean }): Row {
  const target = headersInput(written.target, before.target, options);
  const isKept = written.action === 'SLACK' && isRow(before.target) && !options.withHeaders;
  return isKept && target.url !== undefined ? { ...target, url: HIDDEN_HEADER } : target;
}
