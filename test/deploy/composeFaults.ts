/** The faults of a compose file, one sentence each; empty when there are none. */
import { SECRETS, type ComposeFile, type ComposeService } from './compose.js';
import { isPinned, isPlainUser } from './images.js';

type Named = [name: string, service: ComposeService];

export function faultsOf(file: ComposeFile): string[] {
  const services = Object.entries(file.services);
  return [
    ...services.flatMap(imageFaults),
    ...services.flatMap(privilegeFaults),
    ...services.flatMap(lifeFaults),
    ...services.flatMap(portFaults),
    ...services.flatMap((service) => dependencyFaults(service, file)),
    ...nameFaults(services, file),
    ...addressFaults(services, file),
    ...services.flatMap(secretFaults),
  ];
}

function imageFaults([name, { image }]: Named): string[] {
  if (image === undefined) return [`${name} names no image`];
  return isPinned(image) ? [] : [`${name}: the image ${image} is not pinned to a release`];
}

function privilegeFaults([name, service]: Named): string[] {
  const { user, cap_drop = [], security_opt = [] } = service;
  return [
    ...(isPlainUser(user) ? [] : [`${name}: the user must be a number:number that is not root`]),
    ...(cap_drop.includes('ALL') ? [] : [`${name} keeps capabilities`]),
    ...(security_opt.includes('no-new-privileges:true') ? [] : [`${name} may gain privileges`]),
  ];
}

/** A service that ends by itself must stay ended; one that keeps running needs restarts and a health check. */
function lifeFaults([name, service]: Named): string[] {
  if (service.restart === 'no') return [];
  return [
    ...(service.restart === 'unless-stopped' ? [] : [`${name} is not restarted`]),
    ...(hasHealthCheck(service) ? [] : [`${name} has no health check`]),
  ];
}

/** Images built here have their health check in the Dockerfile. */
const hasHealthCheck = (service: ComposeService): boolean =>
  service.healthcheck !== undefined || service.build !== undefined;

/** The default addresses that ports are published to. */
const PRIVATE = ['127.0.0.1:', '${PUBLISH_ADDRESS:-127.0.0.1}:'];

function portFaults([name, { ports = [] }]: Named): string[] {
  return ports
    .filter((port) => !PRIVATE.some((address) => port.startsWith(address)))
    .map((port) => `${name}: ${port} is published to everyone`);
}

function dependencyFaults([name, { depends_on = {} }]: Named, file: ComposeFile): string[] {
  return Object.entries(depends_on).flatMap(([other, { condition }]) => {
    const service = file.services[other];
    if (!service) return [`${name} depends on ${other}, which is no service`];
    const fits =
      condition === 'service_completed_successfully'
        ? service.restart === 'no'
        : condition === 'service_healthy' && service.restart !== 'no' && hasHealthCheck(service);
    return fits ? [] : [`${name} waits for ${other} to be ${condition}, which it never is`];
  });
}

/** What services use is declared, and everything declared is used. */
function nameFaults(services: readonly Named[], file: ComposeFile): string[] {
  const used = {
    volumes: services.flatMap(([, { volumes = [] }]) => volumes.map((one) => one.split(':')[0]!)),
    networks: services.flatMap(([, { networks = [] }]) => networks),
    configs: services.flatMap(([, { configs = [] }]) => configs.map(({ source }) => source)),
    secrets: services.flatMap(([, { secrets = [] }]) => secrets),
  };
  return (['volumes', 'networks', 'configs', 'secrets'] as const).flatMap((kind) => {
    const declared = Object.keys(file[kind] ?? {});
    return [
      ...used[kind].filter((one) => !declared.includes(one)).map((one) => [one, 'not declared']),
      ...declared.filter((one) => !used[kind].includes(one)).map((one) => [one, 'not used']),
    ].map(([one, what]) => `${kind}: ${one} is ${what}`);
  });
}

/** The port that each server listens on, by the repository of its image. */
const SERVER_PORTS: Record<string, string> = {
  mongo: '27017',
  postgres: '5432',
  'temporalio/server': '7233',
};

function addressFaults(services: readonly Named[], file: ComposeFile): string[] {
  return services.flatMap(([name, service]) =>
    addressesOf(service).flatMap((address) => {
      const [host = '', port] = address.split(':');
      const server = file.services[host];
      if (!server) return [`${name}: ${address} is no service`];
      const expected = SERVER_PORTS[server.image?.split(':')[0] ?? ''];
      if (port !== expected) return [`${name}: ${address} should have the port ${expected}`];
      const meet = networksOf(service, file).some((one) => server.networks?.includes(one));
      return meet ? [] : [`${name} shares no network with ${host}`];
    }),
  );
}

function networksOf({ networks, network_mode }: ComposeService, file: ComposeFile): string[] {
  const shared = network_mode?.replace(/^service:/, '') ?? '';
  return networks ?? file.services[shared]?.networks ?? [];
}

function addressesOf({ environment = {} }: ComposeService): string[] {
  const { MONGODB_URI_FILE, TEMPORAL_ADDRESS, POSTGRES_SEEDS, DB_PORT } = environment;
  return [
    // The address in the file that `deploy/make-secrets` writes.
    ...(MONGODB_URI_FILE === undefined ? [] : ['mongodb:27017']),
    ...(TEMPORAL_ADDRESS === undefined ? [] : [TEMPORAL_ADDRESS]),
    ...(POSTGRES_SEEDS === undefined ? [] : [`${POSTGRES_SEEDS}:${DB_PORT ?? ''}`]),
  ];
}

/** Secrets come as files, and no service runs with one from a repository. */
function secretFaults([name, service]: Named): string[] {
  const { environment = {}, secrets = [], command = [], healthcheck } = service;
  const texts = [...Object.values(environment), ...command, ...(healthcheck?.test ?? [])];
  const read = texts.flatMap((text) => text.match(/(?<=\/run\/secrets\/)\w+/g) ?? []);
  return [
    ...Object.entries(environment)
      .filter(([key]) => /SECRET|PASSWORD|PWD|_URI/.test(key))
      .filter(([key, value]) => !key.endsWith('_FILE') || !value.startsWith(SECRETS))
      .map(([key]) => `${name}: ${key} must come as a file`),
    ...[...new Set(read)]
      .filter((secret) => !secrets.includes(secret))
      .map((secret) => `${name} is not given the secret ${secret}`),
  ];
}
