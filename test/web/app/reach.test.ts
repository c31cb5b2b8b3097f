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
  list_suppression_lists: 'lists',
};

describe('the console', () => {
  it('has a screen for every action, but for those of editors to come', () => {
    const text = sources.map(([, source]) => source).join('\n');
    const missing = REGISTRY.map(({ name }) => name).filter(
      (name) => !text.includes(`'${name}'`) && !(name in TO_COME),
    );
    expect(missing).toEqual([]);
  });

  it('lists no action as one to come that a screen has', () => {
    const text = sources.map(([, source]) => source).join('\n');
    const names = new Set<string>(REGISTRY.map(({ name }) => name));
    expect(
      Object.keys(TO_COME).filter((name) => !names.has(name) || text.includes(`'${name}'`)),
    ).toEqual([]);
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
