/** The evidence, indexed once, so that rules look things up and do not scan. */
import type { Lead } from '../../../src/leads/rules/lead.js';
import { isOpen } from '../../../src/leads/rules/leadStatus.js';
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import type {
  BuyerLinkFacts,
  CampaignFacts,
  Completed,
  Evidence,
  Fault,
  Instant,
  Invoked,
  JournalLine,
  SupplierLinkFacts,
  Violation,
} from '../evidence/evidence.js';

/** One rule or a family of rules: returns every violation. */
export type Property = (facts: Facts) => Violation[];

/** One HTTP request of a supplier and its answer; `told` is null when the run ended before. */
export interface Operation {
  asked: Invoked;
  told: Completed | null;
}

/** One request as a buyer saw it. */
export interface BuyerRequest extends Omit<JournalLine, 'step'> {
  /** Whether its answer was written out; null when the journal does not say. */
  ending: 'answered' | 'cut' | null;
  /** When the answer ended. */
  endedAt: Instant | null;
}

export interface Facts {
  evidence: Evidence;
  campaigns: ReadonlyMap<string, CampaignFacts>;
  leads: ReadonlyMap<string, Lead>;
  operations: readonly Operation[];
  requests: readonly BuyerRequest[];
  faults: readonly Fault[];
  /** A lead's delivery rows, oldest first. */
  rowsOf: (leadId: string) => readonly DeliveryDoc[];
  /** The row of a lead's attempt with this buyer; of several, the latest. */
  rowWith: (leadId: string, buyerId: string) => DeliveryDoc | undefined;
  requestsOf: (leadId: string) => readonly BuyerRequest[];
  operationsOfIntent: (intent: number) => readonly Operation[];
  /** Every operation that may have made the lead. */
  operationsOfLead: (lead: Lead) => readonly Operation[];
  /** Every lead that the sendings of this operation's intent may have made. */
  leadsOfOperation: (operation: Operation) => readonly Lead[];
  buyerLink: (campaignId: string, buyerId: string) => BuyerLinkFacts | undefined;
  supplierLink: (campaignId: string, supplierId: string) => SupplierLinkFacts | undefined;
}

export function indexFacts(evidence: Evidence): Facts {
  const { history, record } = evidence;
  const operations = operationsOf(history);
  const requests = requestsOf(evidence.journal);
  const rows = Map.groupBy(record.deliveries, (row) => row.lead_id);
  rows.forEach((own) => own.sort((a, b) => a.n - b.n));
  const requestsByLead = Map.groupBy(requests, (request) => request.lead_id);
  const byIntent = Map.groupBy(operations, ({ asked }) => asked.intent);
  const byPerson = Map.groupBy(operations, ({ asked }) => personPosted(asked));
  const leadsByPerson = Map.groupBy(
    record.leads.filter((lead) => intentOf(lead) === null),
    personOf,
  );
  const leadsByIntent = Map.groupBy(record.leads, intentOf);
  const buyers = linksOf(evidence, ({ buyers: links }) => links, 'buyer_id');
  const suppliers = linksOf(evidence, ({ suppliers: links }) => links, 'supplier_id');
  return {
    evidence,
    campaigns: new Map(evidence.campaigns.map((campaign) => [campaign.campaign_id, campaign])),
    leads: new Map(record.leads.map((lead) => [lead._id, lead])),
    operations,
    requests,
    faults: history.filter((event) => event.kind === 'fault'),
    rowsOf: (leadId) => rows.get(leadId) ?? [],
    rowWith: (leadId, buyerId) => rows.get(leadId)?.findLast((row) => row.buyer_id === buyerId),
    requestsOf: (leadId) => requestsByLead.get(leadId) ?? [],
    operationsOfIntent: (intent) => byIntent.get(intent) ?? [],
    operationsOfLead: (lead) => {
      const intent = intentOf(lead);
      return (intent === null ? byPerson.get(personOf(lead)) : byIntent.get(intent)) ?? [];
    },
    leadsOfOperation: ({ asked }) => [
      ...(leadsByIntent.get(asked.intent) ?? []),
      ...(leadsByPerson.get(personPosted(asked)) ?? []),
    ],
    buyerLink: (campaignId, buyerId) => buyers.get(`${campaignId}:${buyerId}`),
    supplierLink: (campaignId, supplierId) => suppliers.get(`${campaignId}:${supplierId}`),
  };
}

function operationsOf(history: Evidence['history']): Operation[] {
  const told = new Map<number, Completed>();
  for (const event of history) if (event.kind === 'completed') told.set(event.op, event);
  return history
    .filter((event) => event.kind === 'invoked')
    .map((asked) => ({ asked, told: told.get(asked.op) ?? null }));
}

function requestsOf(journal: readonly JournalLine[]): BuyerRequest[] {
  const byNumber = new Map<number, BuyerRequest>();
  for (const { step, ...line } of journal) {
    const known = byNumber.get(line.request) ?? { ...line, ending: null, endedAt: null };
    const { ending, endedAt } = known;
    byNumber.set(line.request, step === 'decided' ? { ...line, ending, endedAt } : known);
    if (step !== 'decided') Object.assign(known, { ending: step, endedAt: line.at });
  }
  return [...byNumber.values()].sort((a, b) => a.request - b.request);
}

function linksOf<K extends string, L extends Record<K, string>>(
  { campaigns }: Evidence,
  read: (campaign: CampaignFacts) => readonly L[],
  id: K,
): Map<string, L> {
  return new Map(
    campaigns.flatMap((campaign) =>
      read(campaign).map((link) => [`${campaign.campaign_id}:${link[id]}`, link] as const),
    ),
  );
}

/** The person of a lead, as both sides know it: campaign, supplier, e-mail and the phone's last ten digits. */
const personKey = (campaign: string, supplier: string, email: string, phone: string): string =>
  [
    campaign,
    supplier.toLowerCase(),
    email.trim().toLowerCase(),
    phone.replaceAll(/\D/g, '').slice(-10),
  ].join('|');

export const personPosted = (asked: Invoked): string =>
  personKey(asked.campaign_id, asked.supplier_id, asked.email, asked.phone);

export const personOf = (lead: Lead): string =>
  personKey(
    lead.campaign_id,
    lead.supplier_id,
    String(lead.fields.email ?? ''),
    String(lead.fields.phone ?? ''),
  );

/** The intent that a supplier wrote into the body; null where it wrote none. */
export function intentOf({ extra }: Lead): number | null {
  const value = extra.chaos_intent;
  return typeof value === 'number' ? value : null;
}

/** May still be sold, or is sold. */
export const isLive = ({ status }: Lead): boolean => isOpen(status) || status === 'ACCEPTED';

/** Some buyer has it; it may be on its way to more. */
export const isSold = ({ status }: Lead): boolean => status === 'ACCEPTED' || status === 'SELLING';

/** Whether this buyer is one of those that have it. */
export const isSoldTo = (lead: Lead, buyerId: string): boolean =>
  isSold(lead) &&
  (lead.buyer_id === buyerId || lead.sales.some(({ buyer_id }) => buyer_id === buyerId));

/** `lead … is ACCEPTED by b1`, as every message of the checker words it. */
export const stateOf = ({ _id, status, buyer_id }: Lead): string =>
  `lead ${_id} is ${status}${buyer_id === null ? '' : ` by buyer ${buyer_id}`}`;
