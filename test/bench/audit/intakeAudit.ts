/** Whether every lead acknowledged with a 2xx is in MongoDB and at its buyer, once, as its supplier's answer says. */
import type { Answers, NotedCap } from './answers.js';
import type { Bench } from '../bench.js';
import { judgeLead, type LeadVerdict, type StoredLead } from './intakeVerdict.js';
import type { Deliveries, Expected, TakenTotals } from './taken.js';

export interface IntakeAudit {
  passed: boolean;
  /** Acknowledged with a 2xx. */
  leads: number;
  lost: number;
  doubled: number;
  /** Leads that a capped buyer got beyond its cap. */
  over_cap: number;
  /** Answers that the stored lead contradicts. */
  false_answers: number;
  /** The first few of each kind of violation. */
  examples: string[];
}

/** Ids per query. */
const AT_ONCE = 1_000;
const EXAMPLES = 5;

type Audited = Pick<Bench, 'collections' | 'answers' | 'caps'> & { buyers: { url: string } };

/** Some 100,000 leads take a few seconds: two queries per thousand. */
export async function auditIntake({
  collections,
  buyers,
  answers,
  caps,
}: Audited): Promise<IntakeAudit> {
  const noted = [...answers];
  const maxSells = new Map(
    (await collections.campaigns.find({}, { projection: { max_sells: 1 } }).toArray()).map(
      (campaign) => [campaign._id, campaign.max_sells],
    ),
  );
  const verdicts: { leadId: string; verdict: LeadVerdict }[] = [];
  for (let from = 0; from < noted.length; from += AT_ONCE) {
    const some = noted.slice(from, from + AT_ONCE);
    const ids = some.map(([id]) => id);
    const stored = await storedLeads(collections, ids);
    const taken = await takenOtherwise(buyers.url, ids, stored);
    for (const [leadId, told] of some) {
      const lead = stored.get(leadId);
      const most = maxSells.get(lead?.campaign_id ?? '') ?? 1;
      const deliveries = taken.get(leadId) ?? onceEach(lead);
      verdicts.push({ leadId, verdict: judgeLead(told, lead, deliveries, most) });
    }
  }
  return summed(verdicts, answers, await overCaps(buyers.url, caps));
}

export const intakeAuditLine = (audit: IntakeAudit): string =>
  `audit of intake: ${audit.passed ? 'passed' : 'FAILED'}: ${audit.leads} acknowledged, ${audit.lost} lost, ` +
  `${audit.doubled} doubled, ${audit.over_cap} over a cap, ${audit.false_answers} otherwise than told` +
  (audit.examples.length === 0 ? '' : `: ${audit.examples.join('; ')}`);

async function storedLeads(
  { leads }: Bench['collections'],
  ids: readonly string[],
): Promise<Map<string, StoredLead>> {
  const projection = { campaign_id: 1, status: 1, 'sales.buyer_id': 1 };
  const found = await leads
    .find({ _id: { $in: [...ids] } }, { projection })
    .project<StoredLead>(projection)
    .toArray();
  return new Map(found.map((lead) => [lead._id, lead]));
}

/** The deliveries of leads that buyers have otherwise than they were sold. */
async function takenOtherwise(
  url: string,
  ids: readonly string[],
  stored: ReadonlyMap<string, StoredLead>,
): Promise<Map<string, Deliveries>> {
  const expected = ids.map((id): Expected => [id, Object.keys(onceEach(stored.get(id)))]);
  const reply = await fetch(`${url}/taken`, { method: 'POST', body: JSON.stringify(expected) });
  return new Map((await reply.json()) as [string, Deliveries][]);
}

const onceEach = (lead: StoredLead | undefined): Deliveries =>
  Object.fromEntries((lead?.sales ?? []).map(({ buyer_id }) => [buyer_id, 1]));

/** Every lead that a buyer accepted counts, including unacknowledged ones. */
async function overCaps(url: string, caps: readonly NotedCap[]): Promise<number> {
  const { byBuyer } = (await (await fetch(`${url}/taken`)).json()) as TakenTotals;
  return caps.reduce(
    (sum, { buyerId, leads }) => sum + Math.max(0, (byBuyer[buyerId] ?? 0) - leads),
    0,
  );
}

function summed(
  verdicts: readonly { leadId: string; verdict: LeadVerdict }[],
  answers: Answers,
  over_cap: number,
): IntakeAudit {
  const by = Map.groupBy(verdicts, ({ verdict }) => verdict);
  const count = (verdict: LeadVerdict): number => by.get(verdict)?.length ?? 0;
  const wrong = { lost: count('lost'), doubled: count('doubled'), false_answers: count('false') };
  const examples = (['lost', 'doubled', 'false'] as const).flatMap((verdict) =>
    (by.get(verdict) ?? [])
      .slice(0, EXAMPLES)
      .map(({ leadId }) => `${verdict} ${leadId} (told ${answers.get(leadId)})`),
  );
  const { lost, doubled, false_answers } = wrong;
  const passed = lost + doubled + false_answers + over_cap === 0;
  return { passed, leads: answers.size, lost, doubled, over_cap, false_answers, examples };
}
