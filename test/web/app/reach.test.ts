/** What can be done in the console, by its sources: each action has its place, and settings have one spelling. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { REGISTRY } from '../../../src/api/actions/registry.js';
import { settingsTables } from '../../../src/web/build/terms.js';

const APP = 'src/web/app';
const sources = readdirSync(APP, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/^(?:buyer|supplier|team|design)\//.test(path))
  .map((path) => [path, readFileSync(join(APP, path), 'utf8')] as const);

/** Those that set up an account, by the editor that will run them. */
const TO_COME: Readonly<Record<string, string>> = {
  update_field_mapping: 'fields',
  add_campaign_fields: 'fields',
  update_inbound_filters: 'filters',
  configure_ping_post: 'pings',
  set_buyer_ping: 'pings',
  import_leads: 'imports',
  upload_suppressions: 'lists',
  import_suppressions: 'lists',
  list_suppressions: 'lists',
  remove_suppressions: 'lists',
  delete_suppression_list: 'lists',
  get_automation: 'automations',
  create_automation: 'automations',
  update_automation: 'automations',
  delete_automation: 'automations',
  send_test_event: 'automations',
  list_events: 'automations',
  list_funnel_templates: 'funnels',
  get_funnel: 'funnels',
  create_funnel: 'funnels',
  update_funnel: 'funnels',
  delete_funnel: 'funnels',
};

/** Those whose data or act a screen has by another action, which does more. */
const BY_ANOTHER: Readonly<Record<string, string>> = {
  get_lead_distribution_trail: 'explain_lead',
  get_campaign_performance: 'get_lead_breakdown',
  get_funnel_stats: 'list_funnels',
  set_supplier_cost_mode: 'update_campaign_supplier',
};

/** Those of a program on the operator's own machine. */
const OF_PROGRAMS: readonly string[] = ['listen_events'];

const hasPlace = (text: string, name: string): boolean => text.includes(`'${name}'`);
const elsewhere = [...Object.keys(TO_COME), ...Object.keys(BY_ANOTHER), ...OF_PROGRAMS];

describe('the console', () => {
  it('has a screen for every action, but for those of editors to come', () => {
    const text = sources.map(([, source]) => source).join('\n');
    const missing = REGISTRY.map(({ name }) => name).filter(
      (name) => !hasPlace(text, name) && !elsewhere.includes(name),
    );
    expect(missing).toEqual([]);
  });

  it('lists no action as one to come that a screen has', () => {
    const text = sources.map(([, source]) => source).join('\n');
    const names = new Set<string>(REGISTRY.map(({ name }) => name));
    expect(elsewhere.filter((name) => !names.has(name) || hasPlace(text, name))).toEqual([]);
    expect(Object.values(BY_ANOTHER).filter((name) => !hasPlace(text, name))).toEqual([]);
  });

  it('takes the labels of settings from their tables', () => {
    const labels = new Set(
      Object.values(settingsTables()).flatMap((terms) =>
        terms.map(({ label }) => label).filter((label) => label.includes(' ')),
      ),
    );
    const spelled = sources.flatMap(([path, source]) =>
      [...labels]
        .filter((label) => source.includes(`'${label}'`) || source.includes(`"${label}"`))
        .map((label) => `${path}: ${label}`),
    );
    expect(labels.size).toBeGreaterThan(20);
    expect(spelled).toEqual([]);
  });
});
