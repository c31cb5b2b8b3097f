import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { readConfig } from '../../src/app/config.js';
import { SEARCH_ATTRIBUTES } from '../../src/embedded/searchAttributes.js';
import { DYNAMIC_CONFIG } from '../../src/embedded/temporal.js';
import { interpolate, parseCompose } from './compose.js';
import { faultsOf } from './composeFaults.js';
import { leadwireFaults } from './leadwireFaults.js';
import { makeSecrets, type MadeSecrets } from './madeSecrets.js';
import { manifest, readRoot } from './repository.js';

const TEXT = readRoot('docker-compose.yml');
let secrets: MadeSecrets;
beforeAll(() => {
  secrets = makeSecrets();
});
afterAll(() => secrets.remove());

/** The file with one text in it replaced everywhere. */
function changed(from: string | RegExp, to: string): string {
  const text = TEXT.replaceAll(typeof from === 'string' ? from : new RegExp(from, 'gm'), to);
  if (text === TEXT) throw new Error(`The file has no ${String(from)} to change`);
  return text;
}

describe('docker-compose.yml', () => {
  const file = parseCompose(TEXT);
  const service = (name: string) => file.services[name] ?? {};

  it('has no fault', () => {
    expect(faultsOf(file)).toEqual([]);
  });

  it('gives each role settings that it accepts', () => {
    expect(leadwireFaults(file, { secrets: secrets.path })).toEqual([]);
  });

  it('passes the addresses of its pages and of funnels on', () => {
    const given = { BASE_URL: 'https://leads.example.com', FUNNELS_URL: 'https://go.example.com' };
    const { environment = {} } = service('intake');
    for (const [name, value] of Object.entries(given))
      expect([name, interpolate(String(environment[name]), given)]).toEqual([name, value]);
  });

  it('runs MongoDB, Temporal on PostgreSQL with its UI, and the two roles', () => {
    const images = Object.values(file.services).map(({ image }) => image?.split(':')[0]);
    expect(images).toEqual(
      expect.arrayContaining(['mongo', 'postgres', 'temporalio/server', 'temporalio/ui']),
    );
    expect(Object.keys(file.services)).toEqual(expect.arrayContaining(['intake', 'delivery']));
  });

  it('builds the version that the package has', () => {
    expect(service('intake').image).toBe(`leadwire:${manifest().version}`);
  });

  it('connects to the replica set that it creates, at the database that its user may use', () => {
    const { host, searchParams } = new URL(secrets.read('mongodb_uri'));
    expect(host).toBe('mongodb:27017');
    expect(service('mongodb').command?.join(' ')).toContain(
      `--replSet ${searchParams.get('replicaSet')} `,
    );
    const database =
      service('intake').environment?.MONGODB_DATABASE ?? readConfig({}).mongodbDatabase;
    expect(service('mongodb-setup').environment?.MONGODB_DATABASE).toBe(database);
  });

  it('sets up MongoDB from its own network, where a server without users listens', () => {
    expect(service('mongodb-setup').network_mode).toBe('service:mongodb');
    expect(new URL(secrets.read('mongodb_admin_uri')).host).toBe('localhost:27017');
  });

  it('names the secrets that deploy/make-secrets makes', () => {
    for (const [name, { file: path }] of Object.entries(file.secrets ?? {})) {
      expect(path).toBe(`./secrets/${name}`);
      expect(readFileSync(join(secrets.path, name)).length).toBeGreaterThan(0);
    }
    expect(readRoot('.gitignore').split('\n')).toContain('secrets/');
  });

  it('gives each container only the secrets that it reads', () => {
    // For a person who works in the database's container.
    const forPeople = ['mongodb mongodb_admin_uri'];
    const spare = Object.entries(file.services).flatMap(([name, { secrets: given = [] }]) => {
      const read = JSON.stringify({ ...service(name), secrets: [] });
      // The mongodb_…_uri files of deploy/make-secrets refer to the CA file.
      const ofUri = read.includes('/run/secrets/mongodb_uri') ? ['ca'] : [];
      return given
        .filter((secret) => !new RegExp(`/run/secrets/${secret}\\b`).test(read))
        .filter((secret) => !ofUri.includes(secret))
        .map((secret) => `${name} ${secret}`);
    });
    expect(spare).toEqual(forPeople);
  });

  it('creates the search attributes, all lists, in the namespace that the roles use', () => {
    const { command = [], environment = {} } = service('temporal-setup');
    const made = [...command.join('\n').matchAll(/--type (\w+) --name (\w+)/g)];
    expect(made.map(([, type, name]) => [name, type])).toEqual(
      SEARCH_ATTRIBUTES.map((name) => [name, 'KeywordList']),
    );
    expect(environment.TEMPORAL_NAMESPACE).toBe(service('intake').environment?.TEMPORAL_NAMESPACE);
    expect(command.join('\n')).toContain(`--namespace ${environment.TEMPORAL_NAMESPACE}`);
  });

  it('gives Temporal the limits that the embedded server has', () => {
    const given = parse(file.configs?.['temporal-limits']?.content ?? '') as object;
    const expected = Object.entries(DYNAMIC_CONFIG).map(([key, value]) => [key, [{ value }]]);
    expect(given).toEqual(Object.fromEntries(expected));
    const target = service('temporal').configs?.[0]?.target;
    expect(service('temporal').environment?.DYNAMIC_CONFIG_FILE_PATH).toBe(target);
  });

  it('exposes the databases and Temporal only inside', () => {
    expect(file.networks?.data).toEqual({ internal: true });
    for (const name of ['mongodb', 'postgresql', 'temporal']) {
      expect(service(name)).toMatchObject({ networks: ['data'] });
      expect(service(name).ports).toBeUndefined();
    }
  });
});

describe('the check of docker-compose.yml', () => {
  it.each([
    [/@sha256:\w+/, '', 'mongodb: the image mongo:7.0.40 is not pinned to a release'],
    [/mongo:7\.0\.40@\S+/, 'mongo:7.0', 'mongodb: the image mongo:7.0 is not pinned to a release'],
    [/:16\.15-bookworm@\S+/, '', 'postgresql: the image postgres is not pinned to a release'],
    ['ui:2.42.1', 'ui:latest', 'temporal-ui: the image temporalio/ui:latest is not pinned'],
    ["user: '999:999'", "user: '0:0'", 'mongodb: the user must be a number:number'],
    ["user: '999:999'", 'user: mongodb', 'mongodb: the user must be a number:number'],
    ['cap_drop: [ALL]', 'cap_drop: []', 'intake keeps capabilities'],
    ['no-new-privileges:true', 'no-new-privileges:false', 'delivery may gain privileges'],
    ['restart: unless-stopped', 'restart: on-failure', 'temporal is not restarted'],
    [/ {4}healthcheck:\n( {6}.*\n)+/, '', 'mongodb has no health check'],
    ['127.0.0.1:8233', '8233', 'temporal-ui: 8233:8080 is published to everyone'],
    ['${PUBLISH_ADDRESS:-127.0.0.1}:', '', 'intake: 8080:8080 is published to everyone'],
    [
      'mongodb: { condition: service_healthy }',
      'mongo: { condition: service_healthy }',
      'mongodb-setup depends on mongo, which is no service',
    ],
    [
      "restart: 'no'",
      'restart: unless-stopped',
      'intake waits for mongodb-setup to be service_completed_successfully',
    ],
    ['  postgresql:\n\n', '\n', 'volumes: postgresql is not declared'],
    ["['mongodb:/data/db']", '[]', 'volumes: mongodb is not used'],
    ['networks: [data, outside]', 'networks: [data, outer]', 'networks: outer is not declared'],
    ['source: temporal-limits', 'source: limits', 'configs: limits is not declared'],
    [
      'TEMPORAL_ADDRESS: temporal:7233',
      'TEMPORAL_ADDRESS: temporal:7234',
      'delivery: temporal:7234 should have the port 7233',
    ],
    ["DB_PORT: '5432'", "DB_PORT: '3306'", 'temporal: postgresql:3306 should have the port 5432'],
    ['networks: [data, outside]', 'networks: [outside]', 'delivery shares no network with mongodb'],
    [
      /LEADWIRE_SECRET_FILE: .*/,
      'LEADWIRE_SECRET: a secret for everybody to read',
      'intake: LEADWIRE_SECRET must come as a file',
    ],
    [
      /POSTGRES_PASSWORD_FILE: .*/,
      'POSTGRES_PASSWORD_FILE: /etc/password',
      'postgresql: POSTGRES_PASSWORD_FILE must come as a file',
    ],
    [
      'mongodb_keyfile, mongodb_pem',
      'mongodb_pem',
      'mongodb is not given the secret mongodb_keyfile',
    ],
    ['  client_key: { file: ./secrets/client_key }\n', '', 'secrets: client_key is not declared'],
  ])('detects the problem when %s is %j', (from, to, fault) => {
    expect(faultsOf(parseCompose(changed(from, to))).join('\n')).toContain(fault);
  });

  it.each([
    ['HEALTH_PORT', 'HEALTHPORT', 'intake: HEALTHPORT is no setting'],
    [/^ {2}TEMPORAL_ADDRESS: temporal:7233\n/, '', 'delivery lacks TEMPORAL_ADDRESS'],
    [
      /TEMPORAL_TLS_(SERVER_CA|CLIENT).*PATH: .*\n/,
      '',
      'TEMPORAL_ADDRESS: temporal is another machine, and the connection is not encrypted',
    ],
    ["HEALTH_PORT: '8081'", 'HEALTH_PORT: none', 'HEALTH_PORT: Invalid input'],
    ['LOG_LEVEL:-info', 'LOG_LEVEL:-loud', 'LOG_LEVEL: Invalid option'],
    ['command: [delivery]', 'command: [deliver]', 'delivery: "deliver" is no role'],
    ['command: [delivery]', 'command: [worker]', 'no service runs the role delivery'],
    [
      '8080:8080',
      '8080:3000',
      'intake: nothing listens behind ${PUBLISH_ADDRESS:-127.0.0.1}:8080:3000',
    ],
    ['HOST: 0.0.0.0', 'HOST: 127.0.0.1', 'intake listens on 127.0.0.1 only'],
    [/^ {2}SMTP_FROM: .*\n/, '', 'delivery does not pass on SMTP_FROM'],
    ['read_only: true', 'read_only: false', 'delivery may write to its own files'],
    ['init: true', 'init: false', 'delivery cannot be stopped while it starts'],
    [
      'stop_grace_period: 40s',
      'stop_grace_period: 30s',
      'intake is killed before its orderly stop',
    ],
  ])('detects the problem of a role when %s is %j', (from, to, fault) => {
    const faults = leadwireFaults(parseCompose(changed(from, to)), { secrets: secrets.path });
    expect(faults.join('\n')).toContain(fault);
  });

  it('detects a problem of the environment', () => {
    const variables = { TRUST_PROXY: 'perhaps' };
    const faults = leadwireFaults(parseCompose(TEXT), { variables, secrets: secrets.path });
    expect(faults.join('\n')).toContain('TRUST_PROXY: Invalid option');
  });

  it('detects missing secrets', () => {
    const faults = leadwireFaults(parseCompose(TEXT), { secrets: '/nowhere' });
    expect(faults.join('\n')).toContain('LEADWIRE_SECRET_FILE: the file cannot be read (ENOENT)');
  });

  it.each([
    ['${A}', 'a'],
    ['${B:-b} $${A}', 'b ${A}'],
    ['${A:-x}${A:?y}', 'aa'],
    ['${B}', ''],
  ])('reads %s as Compose does', (text, expected) => {
    expect(interpolate(text, { A: 'a' })).toBe(expected);
  });
});
