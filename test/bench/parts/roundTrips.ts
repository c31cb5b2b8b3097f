/** How many MongoDB commands a lead costs: one at a time, and many at once, when groups share them. */
import { uploadSuppressions } from '../../../src/account/suppression/upload.js';
import type { AccountSpec } from '../../support/account.js';
import type { Bench } from '../bench.js';
import { sendAll } from '../load/load.js';
import { differenceOf, sumBy, totalOf, type Commands } from '../meters/commands.js';
import { accountOf } from '../../support/org.js';

/** Leads of a measurement. */
const LONE = 100;
const MANY = 2_000;
/** Leads before the measurement, so that connections, plans and counters exist. */
const WARM_UP = 64;

const CAMPAIGNS: Record<string, (url: string) => AccountSpec> = {
  'waterfall, as a new campaign is': (url) => ({
    buyers: {
      first: { price: 30, delivery: { url: `${url}/fast/1` } },
      second: { price: 20, delivery: { url: `${url}/fast/2` } },
    },
  }),
  'round robin, caps everywhere, a suppression list': (url) => {
    const caps = { daily_cap: 1_000_000, total_budget: 100_000_000 };
    return {
      campaign: { distribution_method: 'ROUND_ROBIN', caps },
      supplier: { caps },
      buyers: Object.fromEntries(
        ['a', 'b', 'c'].map((name) => [name, { caps, delivery: { url: `${url}/fast/${name}` } }]),
      ),
    };
  },
  'two sales': (url) => ({
    campaign: { max_sells: 2 },
    buyers: {
      first: { price: 30, delivery: { url: `${url}/fast/1` } },
      second: { price: 20, delivery: { url: `${url}/fast/2` } },
    },
  }),
};

interface Cost {
  leads: number;
  perLead: number;
  /** Per lead. */
  byCommand: Record<string, number>;
  byCollection: Record<string, number>;
}

export async function roundTrips(bench: Bench, open: number, say: (line: string) => void) {
  const results: Record<string, { lone: Cost; many: Cost }> = {};
  for (const [name, spec] of Object.entries(CAMPAIGNS)) {
    const { account, supplier } = await bench.account(spec);
    if (name.includes('suppression')) await addList(bench, account);
    const post = async (leads: number, atOnce: number): Promise<void> => {
      await sendAll(leads, atOnce, () => supplier.postUntilTaken());
      await bench.quiet();
    };
    const measure = async (leads: number, atOnce: number): Promise<Cost> => {
      const before = await bench.commands();
      await post(leads, atOnce);
      return costOf(differenceOf(await bench.commands(), before), leads);
    };
    await post(WARM_UP, WARM_UP);
    const lone = await measure(LONE, 1);
    const many = await measure(MANY, open);
    results[name] = { lone, many };
    say(name);
    say(`  one at a time: ${tell(lone)}`);
    say(`  ${open} open: ${tell(many)}`);
  }
  return results;
}

async function addList(
  { collections, keyring }: Pick<Bench, 'collections' | 'keyring'>,
  { orgId, campaignId }: { orgId: string; campaignId: string },
): Promise<void> {
  const target = { scope: 'campaign' as const, campaign_id: campaignId };
  const input = { org_id: orgId, target, name: 'list', uploaded_by: 'bench' };
  const file = new TextEncoder().encode('email\nnobody@example.org\n');
  await uploadSuppressions(
    accountOf({ collections, keyring }, input.org_id),
    input,
    (async function* () {
      yield await Promise.resolve(file);
    })(),
  );
}

function costOf(commands: Commands, leads: number): Cost {
  const each = (sums: Record<string, number>): Record<string, number> =>
    Object.fromEntries(
      Object.entries(sums)
        .map(([name, count]): [string, number] => [name, rounded(count / leads)])
        .filter(([, count]) => count > 0)
        .sort(([, a], [, b]) => b - a),
    );
  return {
    leads,
    perLead: rounded(totalOf(commands) / leads),
    byCommand: each(sumBy(commands, 'command')),
    byCollection: each(sumBy(commands, 'collection')),
  };
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

function tell({ perLead, byCommand }: Cost): string {
  const parts = Object.entries(byCommand).map(([name, count]) => `${name} ${count}`);
  return `${perLead} commands a lead (${parts.join(', ')})`;
}
