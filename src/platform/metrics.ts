/** Every metric of a process, declared by name in one object. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { createAccountMetrics, type AccountLabels } from './metrics/accountMetrics.js';
import { createLabels, LABELS_MAX } from './metrics/labels.js';
import { createPoolMetrics } from './metrics/poolMetrics.js';
import { createProcessMetrics } from './metrics/processMetrics.js';
import { createStateMetrics } from './metrics/stateMetrics.js';
import { createTemporalMetrics } from './metrics/temporalMetrics.js';

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Registries of their own per call, so that two applications in one process never mix.
 * @param options.ofProcess also measure the process itself: memory, event loop, garbage collection
 * @param options.labelsMax how many campaigns, and how many buyers, the metrics name; the others are `other`
 */
export function createMetrics({ ofProcess = false, labelsMax = LABELS_MAX } = {}) {
  const registry = new Registry();
  const accounts = new Registry();
  const labels: AccountLabels = {
    campaigns: createLabels(labelsMax),
    buyers: createLabels(labelsMax),
  };
  const registers = [registry];
  const counter = <Label extends string = never>(
    name: string,
    help: string,
    ...labelNames: Label[]
  ) => new Counter({ name, help, labelNames, registers });
  let reconcileAge = () => 0;
  if (ofProcess) collectDefaultMetrics({ register: registry });
  const own = {
    /** `status` is the HTTP status, or `closed` when the client left before its answer. */
    httpRequests: counter(
      'leadwire_http_requests_total',
      'HTTP requests by endpoint and status',
      'endpoint',
      'status',
    ),
    /** Until the answer is ready to be written, not until the client has read it. */
    httpSeconds: new Histogram({
      name: 'leadwire_http_request_seconds',
      help: 'Seconds from the arrival of a request to its answer',
      labelNames: ['endpoint', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 2, 5, 10],
      registers,
    }),
    /** Few leads in many groups are expensive: a group costs far more than one more lead in it. */
    intakeGroupLeads: new Histogram({
      name: 'leadwire_intake_group_leads',
      help: 'Leads of each group of the intake',
      buckets: [1, 2, 4, 8, 16, 32, 64, 96, 128, 200],
      registers,
    }),
    /** Its sum, per second, is the number of groups in flight on average. */
    intakeGroupSeconds: new Histogram({
      name: 'leadwire_intake_group_seconds',
      help: 'Seconds from the start of a group of the intake to its end',
      buckets: [0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 2, 5],
      registers,
    }),
    scriptErrors: counter(
      'leadwire_script_errors_total',
      'Errors in the scripts of pages that browsers reported',
    ),
    mailsHeld: counter(
      'leadwire_mails_held_total',
      'Mails that wait because their organization has reached its daily limit',
    ),
    /** Round trips: a write of many documents is one command. Further batches of a long read are not counted. */
    mongodbCommands: counter(
      'leadwire_mongodb_commands_total',
      'Commands sent to MongoDB, by command and collection',
      'command',
      'collection',
    ),
    /** `result` is `accepted`, or why no buyer bid. */
    pings: counter('leadwire_pings_total', 'Pings answered, by result', 'result'),
    /** `result` is `accepted`, or why the visitor is taken for a bot. */
    funnelSubmits: counter(
      'leadwire_funnel_submits_total',
      'Pages of funnels submitted, by result',
      'result',
    ),
    /** `result` is `bid`, or why there was none; `http_error` for every status that is no success. */
    liveBids: counter('leadwire_live_bids_total', 'Buyers asked for a bid, by result', 'result'),
    /** `result` is `delivered`, `failed` (it is retried), `refused` or `gone` (it is not). */
    eventAttempts: counter(
      'leadwire_event_attempts_total',
      'Events sent to automations, by result of the attempt',
      'result',
    ),
    /** `reason` is one of the five words of {@link TLS_TROUBLES}. */
    tlsTroubles: counter(
      'leadwire_tls_refused_total',
      'Requests not sent because the TLS of the server they were for is too weak or too old, by reason',
      'reason',
    ),
    /**
     * `event` is one of {@link SECURITY_EVENTS}. Events that the log writes as one count are counted here one by one.
     */
    securityEvents: counter(
      'leadwire_security_events_total',
      'Entries of the security log, by event',
      'event',
    ),
    /** In a healthy service it stays at 0. */
    reconciled: counter(
      'leadwire_reconciled_total',
      'Leftovers that reconcile found and resumed, by kind',
      'kind',
    ),
    reconcileAge: new Gauge({
      name: 'leadwire_reconcile_age_seconds',
      help: 'Seconds since any process last completed reconcile',
      registers,
      collect() {
        this.set(reconcileAge());
      },
    }),
    /** @param seconds called from now on each time the metrics are read */
    showReconcileAge(seconds: () => number): void {
      reconcileAge = seconds;
    },
    /** Of the connections to MongoDB: whoever opens them adds to these. */
    pool: createPoolMetrics(registry),
    ...createProcessMetrics(registry),
    ...createTemporalMetrics(registry),
    ...createAccountMetrics(accounts, labels),
    ...createStateMetrics(accounts, labels),
  };
  return {
    ...own,
    /** What a process does, without names and sums of accounts. */
    registry,
    /** The same, with campaigns, buyers, queues and sums: only for operators. */
    everything: Registry.merge([registry, accounts]),
    /** The campaigns and buyers that have a value of their own. */
    labels,
  };
}
