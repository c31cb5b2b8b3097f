/** The metrics of what the database holds: queues, breakers, caps, events, and today's sums. */
import type { Registry } from 'prom-client';
import type { AccountLabels } from './accountMetrics.js';
import { showSamples, type Sample } from './samples.js';
import type { ServiceState, StateReader } from './serviceState.js';

export function createStateMetrics(registry: Registry, labels: AccountLabels) {
  let reader: StateReader | null = null;
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    samples: (state: ServiceState) => Sample<Label>[],
  ): void =>
    showSamples(registry, 'gauge', { name, help, labelNames }, async () => {
      const state = (await reader?.read()) ?? null;
      return state === null ? [] : samples(state);
    });
  declareQueues(gauge, labels);
  declareCaps(gauge);
  declareEvents(gauge);
  declareToday(gauge, labels);
  declareNames(gauge);
  showSamples(
    registry,
    'gauge',
    {
      name: 'leadwire_state_age_seconds',
      help: 'Seconds since this process last read what the database holds',
      labelNames: [],
    },
    async () => {
      await reader?.read();
      return reader ? [{ labels: {}, value: reader.ageSeconds() }] : [];
    },
  );
  showSamples(
    registry,
    'counter',
    {
      name: 'leadwire_state_failures_total',
      help: 'Readings of what the database holds that failed',
      labelNames: [],
    },
    async () => {
      await reader?.read();
      return [{ labels: {}, value: reader?.failures() ?? 0 }];
    },
  );
  return {
    /** From now on the database is read when the metrics are. */
    showState(by: StateReader): void {
      reader = by;
    },
  };
}

type Declare = <Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
  samples: (state: ServiceState) => Sample<Label>[],
) => void;

/** What belongs to ids without a value of their own becomes one sample. */
function merge<T, Label extends string>(
  items: readonly T[],
  labelsOf: (item: T) => Record<Label, string>,
  values: (items: readonly T[]) => number,
): Sample<Label>[] {
  const groups = Map.groupBy(items, (item) => JSON.stringify(labelsOf(item)));
  return [...groups].flatMap(([, group]) => {
    const [first] = group;
    return first === undefined ? [] : [{ labels: labelsOf(first), value: values(group) }];
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const one = (value: number): Sample<never>[] => [{ labels: {}, value }];
const secondsSince = (at: Date | null, now: Date): number =>
  at === null ? 0 : Math.max(0, Number(now) - Number(at)) / 1_000;

function declareQueues(gauge: Declare, { buyers }: AccountLabels): void {
  gauge(
    'leadwire_queue_deliveries',
    'Deliveries that wait for a buyer, by state: parked (to be sent) or unknown (never answered)',
    ['buyer_id', 'state'],
    ({ queues }) =>
      merge(
        queues,
        ({ buyer_id, state }) => ({ buyer_id: buyers.of(buyer_id), state }),
        (group) => sum(group.map(({ deliveries }) => deliveries)),
      ),
  );
  gauge(
    'leadwire_queue_oldest_seconds',
    'Seconds that the oldest delivery has waited for its buyer',
    ['buyer_id'],
    ({ queues, at }) =>
      merge(
        queues,
        ({ buyer_id }) => ({ buyer_id: buyers.of(buyer_id) }),
        (group) => Math.max(...group.map(({ oldest }) => secondsSince(oldest, at))),
      ),
  );
  gauge(
    'leadwire_waiting_deliveries',
    'Deliveries that wait for all buyers together, by state',
    ['state'],
    ({ queues }) =>
      (['parked', 'unknown'] as const).map((state) => ({
        labels: { state },
        value: sum(queues.filter((one) => one.state === state).map((one) => one.deliveries)),
      })),
  );
  gauge(
    'leadwire_waiting_oldest_seconds',
    'Seconds that the oldest delivery of all has waited; 0 when none waits',
    [],
    ({ queues, at }) => one(Math.max(0, ...queues.map(({ oldest }) => secondsSince(oldest, at)))),
  );
  gauge(
    'leadwire_breaker_open',
    '1 while the breaker of a buyer is open: nothing but a probe is sent to it; otherwise 0',
    ['buyer_id'],
    ({ openBreakers }) => {
      const open = new Set(openBreakers.map((id) => buyers.of(id)));
      const named = new Set([...buyers.ids(), ...open]);
      return [...named].map((buyer_id) => ({
        labels: { buyer_id },
        value: Number(open.has(buyer_id)),
      }));
    },
  );
  gauge('leadwire_open_breakers', 'Buyers whose breaker is open', [], ({ openBreakers }) =>
    one(openBreakers.length),
  );
}

function declareCaps(gauge: Declare): void {
  gauge(
    'leadwire_cap_used_ratio',
    'Used part of a cap or budget in its present window, 1 when it is full; only where there is one',
    ['scope', 'campaign_id', 'buyer_id', 'supplier_id', 'window', 'of'],
    ({ caps }) => caps.map(({ ratio, ...labels }) => ({ labels, value: ratio })),
  );
}

function declareEvents(gauge: Declare): void {
  gauge('leadwire_events_waiting', 'Events that wait to be sent to automations', [], ({ events }) =>
    one(events.waiting),
  );
  gauge(
    'leadwire_events_oldest_seconds',
    'Seconds since the oldest event that waits happened; 0 when none waits',
    [],
    ({ events, at }) => one(secondsSince(events.oldest, at)),
  );
  gauge(
    'leadwire_events_dead_lettered',
    'Events of the last 30 days that were given up, and wait for a person to send them again',
    [],
    ({ events }) => one(events.deadLettered),
  );
}

function declareToday(gauge: Declare, { campaigns }: AccountLabels): void {
  gauge(
    'leadwire_today_leads',
    'Leads that arrived since midnight in the time zone of their account, by present status, as in the reports',
    ['campaign_id', 'status'],
    ({ today }) =>
      merge(
        today.flatMap(({ campaign_id, leads }) =>
          Object.entries(leads).map(([status, n]) => ({ campaign_id, status, n })),
        ),
        ({ campaign_id, status }) => ({ campaign_id: campaigns.of(campaign_id), status }),
        (group) => sum(group.map(({ n }) => n)),
      ),
  );
  for (const money of ['revenue', 'cost'] as const)
    gauge(
      `leadwire_today_${money}`,
      `The ${money} of these leads so far, in units of the currency, as in the reports`,
      ['campaign_id', 'currency'],
      ({ today }) =>
        merge(
          today,
          ({ campaign_id, currency }) => ({ campaign_id: campaigns.of(campaign_id), currency }),
          (group) => sum(group.map((row) => row[money])),
        ),
    );
}

function declareNames(gauge: Declare): void {
  gauge(
    'leadwire_campaign_info',
    'Always 1: the name of a campaign, to be joined by its id',
    ['campaign_id', 'name'],
    ({ names }) =>
      [...names.campaigns].map(([campaign_id, name]) => ({
        labels: { campaign_id, name },
        value: 1,
      })),
  );
  gauge(
    'leadwire_buyer_info',
    'Always 1: the name of a buyer, to be joined by its id',
    ['buyer_id', 'name'],
    ({ names }) =>
      [...names.buyers].map(([buyer_id, name]) => ({ labels: { buyer_id, name }, value: 1 })),
  );
  gauge(
    'leadwire_state_left_out',
    'How many organizations, buyers with a queue and caps these metrics leave out, because there are too many',
    ['of'],
    ({ leftOut }) => Object.entries(leftOut).map(([of, value]) => ({ labels: { of }, value })),
  );
}
