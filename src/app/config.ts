/** The only file that reads the environment. All other code receives a `Config`. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { refusal, refuse, smtpOf, tlsOf } from './config/refusals.js';
import { defaultCacheDir } from './config/cacheDir.js';
import { PLAINTEXT_SERVERS, plaintextFaults } from './config/plaintext.js';
import { funnelSettings } from './config/funnelSettings.js';
import { defaultProcesses, PROCESSORS, processesRule } from './config/processes.js';
import { LABELS_MAX } from '../platform/metrics/labels.js';
import { readSecretFiles, SECRET_FILES } from '../platform/security/secretFiles.js';

const flag = z
  .enum(['true', 'false', '1', '0'])
  .transform((text) => text === 'true' || text === '1');
const port = z.coerce.number().int().min(0).max(65_535);
const count = (from: number, to: number) => z.coerce.number().int().min(from).max(to);

const listOf = (items = ''): string[] =>
  items.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
const MAIL_DOMAIN = /^(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/;
const text = z.string().optional();
const address = z.url().optional();
const list = text.transform(listOf);
const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

/** Of 32 bytes or more, as HS256 wants it (RFC 7518, 3.2). */
const PING_KEY_LENGTH = 32;

/** Every setting, with its default and what it is for. An empty value counts as absent. */
const settings = z.object({
  PORT: port.default(8080).describe('Port of the HTTP API; 0 picks a free one'),
  HOST: z.string().default('127.0.0.1').describe('Address the HTTP API listens on'),
  PROCESSES: processesRule(PROCESSORS)
    .optional()
    .describe(
      'Processes of leadwire up that accept leads, on one port; absent: half of the processors, 1 to 4',
    ),
  HEALTH_PORT: port
    .optional()
    .describe(
      'Port of /healthz, /readyz and /metrics, in every role; absent: the API serves them on PORT, other roles do ' +
        'not serve them',
    ),
  HEALTH_HOST: text.describe('Address that HEALTH_PORT listens on; absent: HOST'),
  STOP_DELAY_MS: count(0, 60_000)
    .default(1_000)
    .describe(
      'Milliseconds after a stop signal in which the API still accepts requests, while /readyz is 503: set it above ' +
        'the interval at which a load balancer asks',
    ),
  TLS_CERT: text.describe('PEM file of the certificate for HTTPS; absent: plain HTTP'),
  TLS_KEY: text.describe('PEM file of its key; required with TLS_CERT'),
  BASE_URL: address.describe('Public address of the API, for printed links and posting guides'),
  FUNNELS_URL: address.describe(
    'Own public address of funnels, which need a host of their own for certificates of consent and custom_code; absent: BASE_URL',
  ),
  INGEST_URL: address.describe('Public address of ingest, when it has its own host'),
  MONGODB_URI: text.describe('An external MongoDB replica set; absent: embedded'),
  MONGODB_DATABASE: z.string().min(1).default('leadwire').describe('Database name'),
  TEMPORAL_ADDRESS: text.describe('An external Temporal server; absent: embedded'),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default').describe('Temporal namespace'),
  TEMPORAL_TASK_QUEUE_PREFIX: z.string().default('').describe('Prefix of each task queue name'),
  TEMPORAL_UI_URL: address.describe('The Temporal UI, for links to it; absent: the embedded one'),
  ALLOW_PLAINTEXT: list
    .pipe(
      z.array(
        z.enum(PLAINTEXT_SERVERS, {
          error: 'must be mongodb, temporal, or both with a comma between',
        }),
      ),
    )
    .describe('Servers on other machines that may be reached without TLS: mongodb, temporal'),
  LEADWIRE_HOME: z.string().default('.leadwire').describe('Data of the embedded stack'),
  LEADWIRE_CACHE: text.describe("Downloaded server binaries; absent: the user's cache folder"),
  LEADWIRE_MONGOD: text.describe('Path of a mongod to use'),
  LEADWIRE_TEMPORAL: text.describe('Path of a temporal CLI to use'),
  LEADWIRE_SECRET: z
    .string()
    .min(32)
    .optional()
    .describe(
      'Seals stored secrets, keys duplicate claims and entries of suppression lists; required with an external MongoDB',
    ),
  OUTBOUND_ALLOW_PRIVATE: flag
    .default(false)
    .describe('Allow deliveries to private and loopback addresses'),
  SMTP_URL: text.describe(
    'Mail server for EMAIL deliveries: smtp://user:password@host:587 (STARTTLS) or smtps://; absent: none',
  ),
  SMTP_FROM: z
    .string()
    .regex(/^[^@<>\r\n]*<?[^@<>\s]+@[^@<>\s]+>?$/, 'must be an address, with or without a name')
    .optional()
    .describe('Sender of mails, such as Leads <leads@example.com>; required with SMTP_URL'),
  SMTP_REQUIRE_TLS: flag
    .optional()
    .describe('Send no mail without TLS; absent: required except on this machine'),
  MAIL_ALLOWED_DOMAINS: list
    .transform((domains) => domains.map((domain) => domain.toLowerCase()))
    .refine((domains) => domains.every((domain) => domain === '*' || MAIL_DOMAIN.test(domain)), {
      error: 'must be domains such as example.com, separated by commas, or *',
    })
    .describe(
      'Domains whose addresses get mails without confirmation, separated by commas; * means every domain',
    ),
  MAIL_PER_ORG_PER_DAY: count(1, 10_000_000)
    .default(10_000)
    .describe('Maximum mails per organization and day; further mails wait'),
  GOOGLE_SERVICE_ACCOUNT_JSON: text.describe(
    'JSON key of the service account for GOOGLE_SHEET deliveries; absent: none',
  ),
  GOOGLE_SHEETS_ENDPOINT: z
    .url()
    .default('https://sheets.googleapis.com')
    .describe('Address of the Google Sheets API'),
  MCP_ORIGINS: list
    .refine((origins) => origins.every(isOrigin), {
      error: 'must be origins such as https://chat.example.com, separated by commas',
    })
    .describe('Origins of web pages that may call /mcp, in addition to BASE_URL and this machine'),
  TRUST_PROXY: flag.default(false).describe('Trust the X-Forwarded-* headers of a reverse proxy'),
  AUTH_FAILURES_PER_MINUTE: count(0, 100_000)
    .default(30)
    .describe('Maximum requests per minute from one address without a valid key; 0: unlimited'),
  BREACHED_PASSWORDS_FILE: text.describe(
    'File of stolen passwords, which are refused: their SHA-1 hashes, a line each, in order; absent: none',
  ),
  METRICS_ON_PORT: z
    .enum(['service', 'all'])
    .default('service')
    .describe(
      'Metrics on PORT: service, without those of campaigns, buyers and sums; or all, to everyone who reaches it, with ' +
        'attention in /readyz',
    ),
  METRICS_LABELS_MAX: count(0, 5_000)
    .default(LABELS_MAX)
    .describe(
      'Maximum campaigns, and maximum buyers, that metrics name; the others count as other',
    ),
  METRICS_REFRESH_SECONDS: count(1, 3_600)
    .default(15)
    .describe(
      'Least seconds between two readings of the database for the metrics, in each process that is scraped',
    ),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('debug, info, warn, error or silent'),
  INTAKE_LANES: count(1, 64)
    .default(4)
    .describe('Maximum groups in flight at once per API process'),
  INTAKE_GROUP_MAX: count(1, 200).default(128).describe('Maximum leads per group'),
  INTAKE_LINGER_MS: count(0, 1_000)
    .default(100)
    .describe(
      'Least milliseconds a partial group waits for more leads while others are in flight; where groups take longer, it waits longer',
    ),
  INTAKE_QUEUE_MAX: count(1, 100_000).default(2_000).describe('Maximum waiting requests'),
  INTAKE_SOFT_LIMIT_MS: count(0, 4_000)
    .default(50)
    .describe('Milliseconds a group waits for its slower buyers'),
  PING_TOKEN_KEYS: list
    .refine((keys) => keys.every((key) => key.length >= PING_KEY_LENGTH), {
      error: `must be secrets of ${PING_KEY_LENGTH} characters or more, separated by commas`,
    })
    .describe(
      'Secrets for ping tokens, separated by commas: the first signs, all are accepted; absent: derived from ' +
        'LEADWIRE_SECRET',
    ),
  PING_VALID_SECONDS: count(1, 86_400)
    .default(1_800)
    .describe('Seconds during which a ping and its bids can be redeemed'),
});

export interface Setting {
  name: string;
  /** As written in the environment; empty when there is none. */
  default: string;
  meaning: string;
}

/** Every setting by its name in the environment, in the order of the operations page. */
export function listSettings(): Setting[] {
  return Object.entries(settings.shape).flatMap(([name, rule]) => {
    const unset = rule.safeParse(undefined).data;
    const own = { name, default: String(unset ?? ''), meaning: rule.description ?? '' };
    const file = SECRET_FILES.get(name);
    if (file === undefined) return [own];
    return [own, { name: file, default: '', meaning: `File with ${name}, set instead of it` }];
  });
}

export type Environment = Record<string, string | undefined>;
export type Config = ReturnType<typeof readConfig>;

/**
 * Reads and checks all settings.
 * @throws {Error} naming every setting that is wrong, and the rule it breaks
 */
export function readConfig(environment: Environment) {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const secrets = readSecretFiles(given, SECRET_FILES);
  refuse(secrets.faults);
  const parsed = settings.safeParse({ ...given, ...secrets.values });
  if (!parsed.success) {
    throw refusal(parsed.error.issues.map(({ path, message }) => `${String(path[0])}: ${message}`));
  }
  const s = parsed.data;
  const addresses = { mongodbUri: s.MONGODB_URI, temporalAddress: s.TEMPORAL_ADDRESS };
  refuse(plaintextFaults({ ...addresses, allowed: s.ALLOW_PLAINTEXT }, given));
  return {
    port: s.PORT,
    host: s.HOST,
    processes: s.PROCESSES ?? defaultProcesses(PROCESSORS),
    healthPort: s.HEALTH_PORT,
    stopDelayMs: s.STOP_DELAY_MS,
    healthHost: s.HEALTH_HOST ?? s.HOST,
    tls: tlsOf(s.TLS_CERT, s.TLS_KEY),
    baseUrl: s.BASE_URL,
    ingestUrl: s.INGEST_URL,
    funnels: funnelSettings(s.FUNNELS_URL, s.BASE_URL),
    ...addresses,
    mongodbDatabase: s.MONGODB_DATABASE,
    temporalNamespace: s.TEMPORAL_NAMESPACE,
    temporalUiUrl: s.TEMPORAL_UI_URL,
    taskQueuePrefix: s.TEMPORAL_TASK_QUEUE_PREFIX,
    home: resolve(s.LEADWIRE_HOME),
    cacheDir: resolve(s.LEADWIRE_CACHE ?? defaultCacheDir(environment)),
    mongodPath: s.LEADWIRE_MONGOD,
    temporalPath: s.LEADWIRE_TEMPORAL,
    secret: s.LEADWIRE_SECRET,
    outboundAllowPrivate: s.OUTBOUND_ALLOW_PRIVATE,
    smtp: smtpOf(s.SMTP_URL, s.SMTP_FROM, s.SMTP_REQUIRE_TLS),
    mail: { allowedDomains: s.MAIL_ALLOWED_DOMAINS, perOrgPerDay: s.MAIL_PER_ORG_PER_DAY },
    google: {
      serviceAccountJson: s.GOOGLE_SERVICE_ACCOUNT_JSON,
      sheetsEndpoint: s.GOOGLE_SHEETS_ENDPOINT,
    },
    origins: [...s.MCP_ORIGINS, ...(s.BASE_URL ? [new URL(s.BASE_URL).origin] : [])],
    trustProxy: s.TRUST_PROXY,
    authFailuresPerMinute: s.AUTH_FAILURES_PER_MINUTE,
    breachedPasswordsFile: s.BREACHED_PASSWORDS_FILE,
    metrics: {
      onPort: s.METRICS_ON_PORT,
      labelsMax: s.METRICS_LABELS_MAX,
      refreshMs: s.METRICS_REFRESH_SECONDS * 1_000,
    },
    logLevel: s.LOG_LEVEL,
    intake: {
      lanes: s.INTAKE_LANES,
      groupMax: s.INTAKE_GROUP_MAX,
      lingerMs: s.INTAKE_LINGER_MS,
      queueMax: s.INTAKE_QUEUE_MAX,
      softLimitMs: s.INTAKE_SOFT_LIMIT_MS,
    },
    ping: { tokenKeys: s.PING_TOKEN_KEYS, validMs: s.PING_VALID_SECONDS * 1_000 },
  };
}
