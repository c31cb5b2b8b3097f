/** The faults of the services in a compose file that run Leadwire itself. */
import { listSettings, readConfig } from '../../src/app/config.js';
import { ROLES } from '../../src/app/role.js';
import { interpolate, SECRETS, type ComposeFile, type ComposeService } from './compose.js';

type Named = [name: string, service: ComposeService];

/** Maximum time of a graceful stop, in seconds. */
const STOP_SECONDS = 30;

/** Settings that a person sets beside the file, and every role takes. */
const PASSED = [
  'BASE_URL',
  'INGEST_URL',
  'FUNNELS_URL',
  'SMTP_URL',
  'SMTP_FROM',
  'SMTP_REQUIRE_TLS',
  'MAIL_ALLOWED_DOMAINS',
  'MAIL_PER_ORG_PER_DAY',
  'GOOGLE_SERVICE_ACCOUNT_JSON',
];

interface Given {
  /** Environment variables of the person who starts it. */
  variables?: Record<string, string>;
  /** The folder with the secrets. */
  secrets: string;
}

export function leadwireFaults(file: ComposeFile, given: Given): string[] {
  // A service that ends by itself is not a role.
  const services = Object.entries(file.services).filter(
    ([, { build, restart }]) => build !== undefined && restart !== 'no',
  );
  const roles = services.map(([, { command = [] }]) => command.join(' '));
  return [
    ...['intake', 'delivery']
      .filter((role) => !roles.includes(role))
      .map((role) => `no service runs the role ${role}`),
    ...services.flatMap(roleFaults),
    ...services.flatMap(containerFaults),
    ...services.flatMap((service) => settingFaults(service, given)),
  ];
}

function roleFaults([name, { command = [] }]: Named): string[] {
  const isRole = command.length === 1 && ROLES.some((role) => role === command[0]);
  return isRole ? [] : [`${name}: "${command.join(' ')}" is no role`];
}

function containerFaults([name, service]: Named): string[] {
  const seconds = Number(/^(\d+)s$/.exec(service.stop_grace_period ?? '')?.[1] ?? 0);
  return [
    ...(service.read_only === true ? [] : [`${name} may write to its own files`]),
    ...(service.init === true ? [] : [`${name} cannot be stopped while it starts`]),
    ...(seconds > STOP_SECONDS ? [] : [`${name} is killed before its orderly stop is over`]),
  ];
}

function settingFaults(
  [name, { environment = {}, ports = [] }]: Named,
  { variables = {}, secrets }: Given,
): string[] {
  const known = listSettings().map((setting) => setting.name);
  // Temporal's client reads its own settings.
  const unknown = Object.keys(environment).filter(
    (key) => !known.includes(key) && !key.startsWith('TEMPORAL_TLS_'),
  );
  const missing = ['MONGODB_URI_FILE', 'TEMPORAL_ADDRESS', 'LEADWIRE_SECRET_FILE'].filter(
    (key) => environment[key] === undefined,
  );
  // What both roles need where it is used: links in mails, mail and spreadsheets.
  const kept = PASSED.filter((key) => !environment[key]?.includes(`\${${key}:-}`));
  const faults = [
    ...kept.map((key) => `${name} does not pass on ${key}`),
    ...unknown.map((key) => `${name}: ${key} is no setting`),
    ...missing.map((key) => `${name} lacks ${key}`),
  ];
  try {
    const values = Object.entries(environment).map(([key, value]): [string, string] => [
      key,
      interpolate(value, variables).replace(SECRETS, `${secrets}/`),
    ]);
    const config = readConfig(Object.fromEntries(values));
    return [
      ...faults,
      ...ports
        .filter(
          (port) => ![config.port, config.healthPort].includes(Number(port.split(':').at(-1))),
        )
        .map((port) => `${name}: nothing listens behind ${port}`),
      ...(config.host === '0.0.0.0' ? [] : [`${name} listens on ${config.host} only`]),
    ];
  } catch (error) {
    return [...faults, `${name}: ${(error as Error).message}`];
  }
}
