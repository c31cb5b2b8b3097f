/** `leadwire seed`: an account of a trade with a week of leads, to try the program on. */
import { permissionsOf } from '../../src/account/keys/keys.js';
import { createKeyAsOperator } from '../../src/api/operator/orgKeys.js';
import { outboundPolicy } from '../../src/app/outboundPolicy.js';
import type { Config } from '../../src/app/config.js';
import { readHomeSecret } from '../../src/embedded/running.js';
import { createTerminalReporter } from '../../src/embedded/terminalReporter.js';
import { seedAccount, type SeedDeps, type Seeded } from '../../src/demo/seed/seed.js';
import type { TradeName } from '../../src/demo/seed/trades.js';
import { AppError } from '../../src/lib/errors.js';
import { createServerClock } from '../../src/platform/mongo/serverClock.js';
import { createKeyring } from '../../src/platform/security/seal.js';
import { CommandFailed, EXIT, UsageError, type ExitCode } from '../terminal/errors.js';
import { configFrom, withRecord } from '../stack/installation.js';
import type { StopSignal } from '../terminal/stopSignal.js';
import type { Terminal } from '../terminal/terminal.js';

export interface SeedOptions {
  trade: TradeName;
  seed: number;
  org?: string;
  force?: true;
  json?: true;
}

/** Exit code 2 when it was stopped: what it has made stays, and a later run adds the rest. */
export function seed(
  terminal: Terminal,
  stop: StopSignal,
  options: SeedOptions,
): Promise<ExitCode> {
  const { environment } = terminal;
  const config = configFrom(environment);
  return withRecord(environment, async ({ client, collections }) => {
    const clock = await createServerClock(client);
    try {
      const deps = {
        collections,
        clock,
        keyring: createKeyring(secretOf(config)),
        policy: outboundPolicy(config),
      };
      const seeded = await runSeed(terminal, stop, { deps, options });
      const key = options.org ? null : await keyOf(deps, seeded.organization.id);
      show(terminal, { ...seeded, api_key: key }, options);
      return stop.isRequested() ? EXIT.canceled : EXIT.done;
    } finally {
      clock.close();
    }
  });
}

/** Keys of suppliers and secrets of buyers are sealed with it. */
function secretOf({ secret, home }: Config): string {
  const found = secret ?? readHomeSecret(home);
  if (found !== null) return found;
  throw new UsageError(
    `LEADWIRE_SECRET is not set, and ${home} has no secret: set LEADWIRE_HOME to the home of the running stack, or ` +
      'LEADWIRE_SECRET to the secret of the installation.',
  );
}

async function runSeed(
  { host }: Terminal,
  stop: StopSignal,
  { deps, options }: { deps: SeedDeps; options: SeedOptions },
): Promise<Seeded> {
  const { trade, seed, org: orgId, force } = options;
  const reporter = createTerminalReporter(host.stderr);
  reporter.start(`Seeding a week of ${trade} leads`);
  try {
    const seeded = await seedAccount(deps, {
      trade,
      seed,
      orgId,
      force,
      onLead: (done, total) => reporter.progress(`${done} of ${total}`),
      isStopped: stop.isRequested,
    });
    const { added, organization } = seeded;
    const what = added === 0 ? 'Nothing to add' : `${added} leads added`;
    reporter.done(`${what}: ${organization.name}`);
    return seeded;
  } catch (error) {
    reporter.fail('Nothing more was seeded');
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    throw new CommandFailed(
      error.message,
      EXIT.failed,
      'Without --org an account of its own is seeded; --force seeds this one all the same.',
    );
  }
}

/** Shown once, by the run that makes it. Null: an earlier run has shown it. */
async function keyOf(deps: SeedDeps, orgId: string): Promise<string | null> {
  const { collections, clock } = deps;
  if (await collections.apiKeys.findOne({ kind: 'org', org_id: orgId })) return null;
  const input = { name: 'Demo: everything', permissions: permissionsOf('write') };
  return (await createKeyAsOperator({ collections, clock }, orgId, input)).api_key;
}

function show(
  { print, say }: Terminal,
  seeded: Seeded & { api_key: string | null },
  { json, trade }: SeedOptions,
): void {
  if (json) {
    print(JSON.stringify(seeded, null, 2));
    return;
  }
  const { organization, leads, api_key } = seeded;
  const states = Object.entries(leads).map(([status, count]) => `${count} ${status}`);
  say(`${organization.name} (${organization.id}): ${states.join(', ')}.`);
  if (api_key === null) {
    say(
      `A key for it: leadwire operator keys create --org ${organization.id} --name Demo --permissions all`,
    );
    return;
  }
  say('Its key has every permission, and is shown only once:');
  print(api_key);
  say(`Store the key: leadwire login --profile demo-${trade}. Then: leadwire leads list`);
}
