/**
 * Every place that changes settings of a record, from the registries: two changes at once, of which each gives another
 * part, are both kept.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { automationHeadersPlace } from '../../../src/account/rules/sealedPlaces.js';
import { clientSecretPlace } from '../../../src/people/rules/sealedPlaces.js';
import { setKeyLimits } from '../../../src/account/keys/keyLimits.js';
import { setSupplierWebhook } from '../../../src/automations/supplierWebhook.js';
import type { ActionName } from '../../../src/api/actions/names.js';
import { REGISTRY } from '../../../src/api/actions/registry.js';
import { updateEndpoint } from '../../../src/api/partner/buyer/endpoint.js';
import type { AppError } from '../../../src/lib/errors.js';
import { systemClock } from '../../../src/lib/clock.js';
import { keyring } from '../../account/values.js';
import { atOnce } from '../../support/atOnce.js';
import {
  BY_HAND,
  HEADERS,
  MERGES_NOTHING,
  PLACES,
  RACES,
  reasonOf,
  type Parts,
  type Scene,
} from './nestedPlaces.js';
import { peopleOf, setUp, startActionsApi, type ActionsApi, type Row } from '../../support/api.js';
import { accountOf } from '../../support/org.js';

let api: ActionsApi;
let scene: Scene;

beforeAll(async () => {
  const singleSignOn = {
    settings: (org: string) => peopleOf(api.collections).oidc.settings(org),
    configure: (
      org: string,
      given: Parameters<ReturnType<typeof peopleOf>['oidc']['configure']>[1],
    ) => peopleOf(api.collections).oidc.configure(org, given),
  };
  api = await startActionsApi({ singleSignOn });
  const org = await api.org();
  const { campaign, buyer, supplier } = await setUp(api, org);
  const url = 'https://buyer.example/leads';
  await api.done(org, 'set_buyer_delivery', { buyer_id: buyer.id, url });
  await api.done(org, 'set_buyer_ping', { buyer_id: buyer.id, url: `${url}/bids` });
  const automation = await api.done<Row>(org, 'create_automation', {
    trigger: 'lead.created',
    action: 'WEBHOOK',
    target: { url },
  });
  const linked = { campaign_id: campaign.id, supplier_id: supplier.id };
  const funnel = await api.done<Row>(org, 'create_funnel', { template: 'quiz', ...linked });
  scene = {
    org,
    ...linked,
    buyer_id: buyer.id,
    automation_id: automation.id,
    funnel_id: funnel.id,
  };
});
afterAll(() => api.stop());

const context = () => ({
  collections: api.collections,
  keyring,
  policy: { allowPrivate: true },
  clock: systemClock,
});

/** Two calls that meet before they write. Returns what each was answered. */
async function race(action: ActionName, given: Parts): Promise<unknown[]> {
  const [one, other] = [await scene.org.key(), await scene.org.key()];
  const replies = await atOnce(api.collections, [
    () => api.call(one, action, given[0]),
    () => api.call(other, action, given[1]),
  ]);
  return replies.map(({ status, json }) => (status === 200 ? 200 : json));
}

describe('settings that are changed at the same time', () => {
  it('are changed by these places alone: a new one is raced below, or lays nothing over what is stored', () => {
    const known = [...Object.keys(RACES), ...BY_HAND];
    expect(PLACES.filter((place) => !known.includes(place) && !reasonOf(place))).toEqual([]);
    expect(known.filter((place) => !PLACES.includes(place) || reasonOf(place))).toEqual([]);
    const reasons = Object.keys(MERGES_NOTHING);
    expect(reasons.filter((one) => !PLACES.some((place) => reasonOf(place) === one))).toEqual([]);
  });

  it.each(Object.entries(RACES))('are both kept by %s', async (place, { of = [], ...asked }) => {
    const [action] = place.split('.') as [ActionName];
    const named = Object.fromEntries(of.map((key) => [key, scene[key]]));
    const given = asked.given.map((part) => ({ ...named, ...part })) as unknown as Parts;
    expect(await race(action, given)).toEqual([200, 200]);
    const readBy = REGISTRY.find(({ name }) => name === asked.read)?.input.shape ?? {};
    const ids = Object.entries(named).filter(([key]) => key in readBy);
    const shown = await api.done<object>(scene.org, asked.read, Object.fromEntries(ids));
    const both = asked.shown ?? { ...asked.given[0], ...asked.given[1] };
    expect(shown).toMatchObject(both);
  });

  it.each(['update_campaign_links', 'update_campaign_buyer'] as const)(
    'are both kept where several links are changed, beside %s',
    async (other) => {
      const { org, campaign_id, buyer_id } = scene;
      const keys = [await org.key(), await org.key()] as const;
      const many = (terms: object) => ({ campaign_id, buyers: [{ buyer_id, ...terms }] });
      const one =
        other === 'update_campaign_links'
          ? many
          : (terms: object) => ({ campaign_id, buyer_id, ...terms });
      const replies = await atOnce(api.collections, [
        () => api.call(keys[0], 'update_campaign_links', many({ hourly_cap: 9, price: 31 })),
        () => api.call(keys[1], other, one({ weekly_budget: 700, priority: 4 })),
      ]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      const shown = await api.done<{ buyers: Row[] }>(org, 'get_campaign', { campaign_id });
      expect(shown.buyers.find((link) => link.buyer_id === buyer_id)).toMatchObject({
        hourly_cap: 9,
        price: 31,
        weekly_budget: 700,
        priority: 4,
      });
    },
  );

  it('are both kept where the sign-in of an organization is set: the new secret stays', async () => {
    // Not enabled: the provider need not answer.
    const provider = {
      issuer: 'http://127.0.0.1:9/login',
      client_id: 'leadwire',
      is_enabled: false,
    };
    await api.done(scene.org, 'configure_single_sign_on', { ...provider, client_secret: 'old' });
    const parts: Parts = [{ ...provider, client_secret: 'new' }, { ...provider }];
    expect(await race('configure_single_sign_on', parts)).toEqual([200, 200]);
    const stored = await api.collections.oidcSettings.findOne({ _id: scene.org.id });
    const place = clientSecretPlace(scene.org.id);
    expect(stored?.client_secret && keyring.open(stored.client_secret, place)).toBe('new');
  });

  it('are both kept where a buyer moves its endpoint in its portal, but not over another method', async () => {
    const { org } = scene;
    const key = await org.sharedKey();
    const delivery = { url: 'https://buyer.example/leads' };
    const { id: buyer_id } = await api.done<Row>(org, 'create_buyer', { name: 'Mover', delivery });
    const mover = { ...context(), org_id: org.id, orgId: org.id, party_id: buyer_id };
    const move = (url: string) => () =>
      Promise.resolve(updateEndpoint.run({ url }, mover as never));
    const set = (part: object) => () => api.call(key, 'set_buyer_delivery', { buyer_id, ...part });
    const url = 'https://buyer.example/moved';
    await atOnce<unknown>(api.collections, [move(url), set({ max_concurrent: 3 })]);
    const stored = async () => (await api.collections.buyers.findOne({ _id: buyer_id }))?.delivery;
    expect(await stored()).toMatchObject({ url, max_concurrent: 3 });
    const moveOn = () => move(`${url}/on`)().catch((error: unknown) => (error as AppError).code);
    await atOnce<unknown>(api.collections, [moveOn, set({ method: 'STORE' })]);
    expect(await stored()).toMatchObject({ method: 'STORE' });
    expect(await moveOn()).toBe('conflict');
  });

  it("are both kept in a supplier's webhook", async () => {
    const { org, supplier_id } = scene;
    const owner = { org_id: org.id, supplier_id, name: 'Search' };
    const url = 'https://supplier.example/';
    const set = (given: object) => () =>
      setSupplierWebhook(context(), owner, { url, status: 'active', ...given });
    await set({})();
    await atOnce<unknown>(api.collections, [set({ headers: HEADERS }), set({ status: 'paused' })]);
    const stored = await api.collections.automations.find({ supplier_id }).toArray();
    const opened = stored.map(
      (one) =>
        one.action === 'WEBHOOK' &&
        one.target.headers &&
        keyring.open(one.target.headers, automationHeadersPlace(one._id)),
    );
    expect(opened).toEqual([JSON.stringify(HEADERS), JSON.stringify(HEADERS)]);
  });

  it("are both kept in the limits of a key, which the installation's operator sets", async () => {
    const id = (await api.done<Row>(scene.org, 'create_api_key', { name: 'Limited' })).id;
    const set = (part: object) => () => setKeyLimits(accountOf(api, scene.org.id), id, part);
    await atOnce<unknown>(api.collections, [
      set({ calls_per_minute: 300 }),
      set({ writes_per_minute: 60 }),
    ]);
    expect(await api.collections.apiKeys.findOne({ id })).toMatchObject({
      limits: { calls_per_minute: 300, writes_per_minute: 60 },
    });
  });

  it('are of one link: of two that are made at once the second is refused', async () => {
    const { org, campaign_id } = scene;
    for (const side of ['buyer', 'supplier'] as const) {
      const { id } = await api.done<Row>(org, `create_${side}`, { name: `Twice ${side}` });
      const place = { campaign_id, [`${side}_id`]: id };
      const answers = await race(`add_${side}_to_campaign`, [
        { ...place, daily_cap: 7 },
        { ...place, weekly_cap: 30 },
      ]);
      const who = side === 'buyer' ? 'Buyer' : 'Supplier';
      expect(answers.toSorted()).toEqual([
        200,
        expect.objectContaining({
          error: 'action_refused',
          message: `${who} ${id} is already linked to this campaign. Change its terms with update_campaign_${side}.`,
        }),
      ]);
    }
  });
});
