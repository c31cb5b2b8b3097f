import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/app/config.js';
import { readMongodbAddress } from '../../../src/app/config/mongodbAddress.js';

const faultOf = (environment: Record<string, string>): string => {
  try {
    readConfig(environment);
    return '';
  } catch (error) {
    return (error as Error).message.split('\n').slice(1).join('\n').trim();
  }
};

describe('a MongoDB on another machine', () => {
  it.each([
    'mongodb://ada:hunter2@db1.example:27017/?replicaSet=rs0',
    'mongodb://127.0.0.1,ada.example/?replicaSet=rs0',
    'mongodb://10.0.0.5:27017',
    'mongodb://[2001:db8::1]:27017/leadwire',
    'mongodb://mongodb/?tls=false',
    'mongodb+srv://ada:hunter2@cluster.example/?tls=false',
    'mongodb://localhost.example',
    'mongodb://127.0.0.1.example',
    // A TLS option alone does not turn TLS on, in the driver either.
    'mongodb://db1/?tlsCAFile=/etc/ca.pem',
  ])('is refused without TLS: %s', (uri) => {
    const fault = faultOf({ MONGODB_URI: uri });
    expect(fault).toMatch(
      /^MONGODB_URI: \S+ is another machine, and the connection is not encrypted/,
    );
    expect(fault).toContain('tls=true');
    expect(fault).toContain('ALLOW_PLAINTEXT=mongodb');
    expect(fault).not.toContain('hunter2');
    expect(readConfig({ MONGODB_URI: uri, ALLOW_PLAINTEXT: 'mongodb' }).mongodbUri).toBe(uri);
    expect(faultOf({ MONGODB_URI: uri, ALLOW_PLAINTEXT: 'temporal' })).toBe(fault);
  });

  it.each([
    'mongodb://127.0.0.1:27017/?replicaSet=rs0',
    'mongodb://localhost,127.9.8.7,[::1]:27018/?tls=false',
    'mongodb://%2Ftmp%2Fmongodb-27017.sock/leadwire',
    'mongodb://ada:p%40ss@db1,db2/?replicaSet=rs0&tls=true',
    'mongodb://db1/?SSL=true',
    'mongodb+srv://ada:pass@cluster.example/leadwire',
  ])('is accepted with TLS, or on this machine: %s', (uri) => {
    expect(readConfig({ MONGODB_URI: uri }).mongodbUri).toBe(uri);
  });

  it.each(['db.example', 'mongodb://', 'http://db.example', 'mongodb://u:hunter2/x@db'])(
    'must have an address: %s',
    (uri) => {
      const fault = faultOf({ MONGODB_URI: uri });
      expect(fault).toContain('MONGODB_URI: must be an address such as mongodb://');
      expect(fault).not.toContain('hunter2');
    },
  );

  it.each([
    'mongodb://ada:p%3Ass@db1:27018,db2/leadwire?authSource=admin&tls=true',
    'mongodb://db1/?TLS=true',
    'mongodb://db1?ssl=true',
    'mongodb://[::1]:27017,127.0.0.1/?tls=false',
    'mongodb://db1/?tlsCAFile=/etc/ca.pem',
    'mongodb://LocalHost/',
  ])('is read as the driver reads it: %s', async (uri) => {
    const client = new MongoClient(uri);
    const { hosts, tls } = client.options;
    await client.close();
    const read = readMongodbAddress(uri);
    // Where no option turns TLS on, the driver leaves `tls` undefined.
    expect([false, undefined].includes(read?.tls)).toBe([false, undefined].includes(tls));
    expect(read?.hosts.map((host) => host.toLowerCase())).toEqual(
      hosts.map(({ host }) => (host ?? '').replace(/^\[|\]$/g, '')),
    );
  });
});

describe('a Temporal server on another machine', () => {
  const address = { TEMPORAL_ADDRESS: 'temporal:7233' };

  it('is refused without TLS unless that is allowed', () => {
    const fault = faultOf(address);
    expect(fault).toMatch(
      /^TEMPORAL_ADDRESS: temporal is another machine, and the connection is not encrypted/,
    );
    expect(fault).toContain('TEMPORAL_TLS=true');
    expect(fault).toContain('ALLOW_PLAINTEXT=temporal');
    expect(faultOf({ ...address, TEMPORAL_TLS: 'false' })).toBe(fault);
    expect(faultOf({ ...address, TEMPORAL_API_KEY: 'key', TEMPORAL_TLS: 'false' })).toBe(fault);
    expect(faultOf({ ...address, ALLOW_PLAINTEXT: 'mongodb' })).toBe(fault);
    expect(faultOf({ ...address, ALLOW_PLAINTEXT: ' mongodb , temporal ' })).toBe('');
  });

  it.each([
    ['TEMPORAL_TLS', 'true'],
    ['TEMPORAL_API_KEY', 'key'],
    ['TEMPORAL_TLS_SERVER_NAME', 'x'],
  ])('is accepted with TLS, enabled by Temporal’s own settings: %s=%s', (name, value) => {
    expect(faultOf({ ...address, [name]: value })).toBe('');
  });

  it('takes an empty setting of Temporal as absent', () => {
    const empty = {
      TEMPORAL_TLS: '',
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: '',
      TEMPORAL_TLS_CLIENT_CERT_PATH: '',
      TEMPORAL_API_KEY: '',
    };
    expect(faultOf({ ...address, ...empty })).toBe(faultOf(address));
    expect(faultOf({ ...address, ...empty, TEMPORAL_TLS: 'true' })).toBe('');
  });

  it.each(['127.0.0.1:7233', 'localhost:7233', '[::1]:7233'])('is none at %s', (here) => {
    expect(faultOf({ TEMPORAL_ADDRESS: here })).toBe('');
  });

  it('is refused by name when a file of its settings cannot be read, without what is in it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'leadwire-temporal-'));
    const config = join(folder, 'temporal.toml');
    writeFileSync(config, '[profile.default]\napi_key = "hunter2" oops');
    try {
      const broken = faultOf({ ...address, TEMPORAL_CONFIG_FILE: config });
      expect(broken).toContain('TEMPORAL_CONFIG_FILE');
      expect(broken).not.toContain('hunter2');
      const path = join(folder, 'none.pem');
      const missing = faultOf({ ...address, TEMPORAL_TLS_SERVER_CA_CERT_PATH: path });
      expect(missing).toContain('cannot be read (ENOENT)');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('ALLOW_PLAINTEXT', () => {
  it.each(['true', 'mongo', 'mongodb temporal'])('is refused when it is "%s"', (text) => {
    expect(faultOf({ ALLOW_PLAINTEXT: text })).toBe(
      'ALLOW_PLAINTEXT: must be mongodb, temporal, or both with a comma between',
    );
  });
});
