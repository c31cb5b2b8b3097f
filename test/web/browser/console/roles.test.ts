/** Each role on each screen: none leads to a refusal, and copied links of an admin show nothing that the role may not see. */
import { beforeAll, expect, it } from '@jest/globals';
import { ORG_ROLES, type OrgRole } from '../../../../src/people/types.js';
import type { SignedInMember } from '../../../support/portal.js';
import { goWithin, type Visit } from '../../../support/browser.js';
import { isSecretIn, storeSecrets, type Place } from '../../../api/secretLead.js';
import { waitFor } from '../../../support/waitFor.js';
import { onStage } from './stage.js';

onStage('each role', (stage) => {
  let place: Place;
  let admin: SignedInMember;
  beforeAll(async () => {
    const { bed, orgId } = stage();
    admin = await stage().member();
    place = await storeSecrets(bed.collections, orgId, async (action, input) => {
      const path = `${bed.url}/console/api/${admin.membership_id}/actions/${action}`;
      const answer = await fetch(path, {
        method: 'POST',
        headers: {
          cookie: admin.cookie,
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
        },
        body: JSON.stringify(input),
      });
      const json = (await answer.json()) as { data: { id: string }; message?: string };
      expect([action, json.message]).toEqual([action, undefined]);
      return json.data;
    });
  });

  /** What the service refused, and the bytes of all that it answered. */
  const watch = ({ page }: Visit) => {
    const refused: string[] = [];
    const answers: Promise<string>[] = [];
    page.on('response', (response) => {
      if (!response.url().includes('/console/api/')) return;
      if (response.status() === 403) refused.push(new URL(response.url()).pathname);
      if (response.headers()['content-type']?.includes('json'))
        answers.push(response.text().catch(() => ''));
    });
    return {
      refused: () => refused.splice(0),
      text: async () => (await Promise.all(answers)).join(''),
    };
  };

  const settle = async ({ page }: Visit): Promise<void> => {
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await waitFor(async () => (await page.locator('main .skeleton').count()) === 0);
  };

  /** Screens that other screens lead to. */
  const further = ({ campaign_id, buyer_id, supplier_id, lead_id, ping_id }: Place): string[] => [
    ...['', '/buyers', '/suppliers', '/preview', '/versions', '/guide', '/test'].map(
      (tab) => `/campaigns/${campaign_id}${tab}`,
    ),
    ...['', '/deliveries', '/campaigns', '/delivery', '/secrets', '/returns', '/portal'].map(
      (tab) => `/buyers/${buyer_id}${tab}`,
    ),
    ...['', '/leads', '/campaigns', '/keys', '/portal'].map(
      (tab) => `/suppliers/${supplier_id}${tab}`,
    ),
    ...['', '?tab=attempts', '?tab=sales', '?tab=data'].map((tab) => `/leads/${lead_id}${tab}`),
    `/leads?lead=${lead_id}`,
    `/leads?search=Zqfirst`,
    `/pings/${ping_id}`,
    '/portals/buyer',
  ];
  const COPIED = ['/keys', '/members', '/audit', '/system'];

  it.each(ORG_ROLES)(
    '%s opens every screen without a refusal or an error',
    async (role: OrgRole) => {
      const who = await stage().member({ role, name: `Rolf ${role}` });
      const visit = await stage().come(who, '', { width: 1280 });
      const { page, troubles } = visit;
      const seen = watch(visit);
      const links = page.getByRole('navigation').first().getByRole('link');
      const addresses = await links.evaluateAll((found: unknown) =>
        (found as { getAttribute(name: string): string | null }[]).map(
          (one) => one.getAttribute('href') ?? '',
        ),
      );
      expect(addresses.length).toBeGreaterThan(8);
      const base = `/org/${who.membership_id}`;
      // Of the others, the screens that the navigation has; a viewer lacks most, and tries all.
      const more = role === 'viewer' ? [...further(place), ...COPIED] : [`/leads/${place.lead_id}`];
      const all = [...addresses, ...more.map((path) => base + path)];
      const faults: unknown[] = [];
      for (const address of all) {
        await goWithin(visit, address);
        await settle(visit);
        const heading = await page.getByRole('heading', { level: 1 }).first().innerText();
        const found = [...troubles(), ...seen.refused()];
        if (found.length > 0) faults.push([address.replace(base, ''), heading, found]);
      }
      expect(faults).toEqual([]);
      if (role !== 'viewer') return;
      expect(isSecretIn(await seen.text())).toBeNull();
      await page.goto(`${base}/leads?search=Zqfirst`);
      await page.getByText('Your role does not see people').waitFor();
      expect(await page.getByRole('search').count()).toBe(0);
      for (const path of [...COPIED, `/buyers/${place.buyer_id}/secrets`]) {
        await page.goto(base + path);
        await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      }
    },
    120_000,
  );
});
