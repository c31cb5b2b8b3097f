/** Runs the role that the command line names, on outside servers, until a signal stops it. */
import { readConfig, type Config } from './config.js';
import { keepHeapSmall } from './keepHeapSmall.js';
import { createLog } from '../lib/log.js';
import { startService } from './service.js';
import { isSupervised, reportReady } from './supervised.js';
import { type Role, ROLES } from './role.js';

/** Past the 30 seconds of an orderly stop, after its delay, something hangs; leaving beats hanging on. */
const STOP_MS = 30_000;

function readRole(text: string | undefined): Role {
  const role = ROLES.find((one) => one === text);
  if (role) return role;
  throw new Error(`The role is required: ${ROLES.join(', ')}. For a whole stack: leadwire up`);
}

function requireStack(config: Config) {
  const { mongodbUri, temporalAddress, temporalNamespace, secret } = config;
  if (mongodbUri && temporalAddress && secret) {
    return { mongodbUri, temporalAddress, temporalNamespace, secret };
  }
  const missing = Object.entries({
    MONGODB_URI: mongodbUri,
    TEMPORAL_ADDRESS: temporalAddress,
    LEADWIRE_SECRET: secret,
  }).flatMap(([name, value]) => (value ? [] : [name]));
  throw new Error(`A single role needs external servers. Set ${missing.join(', ')}.`);
}

async function main(): Promise<void> {
  keepHeapSmall();
  const role = readRole(process.argv[2]);
  const config = readConfig(process.env);
  const log = createLog(config.logLevel, role);
  const stack = requireStack(config);
  const service = await startService({ config, stack, role, log, onFatal: () => process.exit(1) });
  const { url, healthUrl: health_url } = service;
  log.info({ pid: process.pid, url, health_url }, 'ready');
  reportReady(url);
  if (config.tls) process.on('SIGHUP', () => void service.renewCertificate());
  const stop = () => {
    setTimeout(() => process.exit(1), config.stopDelayMs + STOP_MS).unref();
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'the stop failed');
        process.exit(1);
      },
    );
  };
  // Again and again: with no listener left, a second signal would kill the process in the middle of its stop.
  process.on('SIGTERM', stop);
  // Ctrl-C reaches supervisor and processes alike; the supervisor stops them in order.
  process.on('SIGINT', isSupervised ? () => undefined : stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
