/** What people of an organization see of the installation: nothing here is of one organization. */
import type { Health } from '../api/schemas/health.js';
import type { SystemState } from '../api/actions/schemas/system.js';
import { readBuild } from '../lib/build.js';
import type { Config } from './config.js';
import type { Deps } from './deps.js';

/** How long Temporal may take to tell its version, in milliseconds. */
const ASK_MS = 2_000;

interface Parts {
  deps: Pick<Deps, 'client' | 'store' | 'repairs' | 'config'>;
  health: Health;
  siteUrl: () => string;
}

/** @returns what reads the state each time; a part that does not answer is a part of the state */
export function createSystemReader({ deps, health, siteUrl }: Parts): () => Promise<SystemState> {
  const { client, store, repairs, config } = deps;
  const build = readBuild();
  const mongodbVersion = async (): Promise<string | null> => {
    const { version } = await store.db.command({ buildInfo: 1 });
    return typeof version === 'string' ? version : null;
  };
  const temporalVersion = (): Promise<string | null> =>
    client.withDeadline(Date.now() + ASK_MS, async () => {
      const { serverVersion } = await client.workflowService.getSystemInfo({});
      return serverVersion ? serverVersion : null;
    });
  return async () => {
    const [report, reconciled_at, mongodb, temporal] = await Promise.all([
      health.check(),
      repairs.lastCompleted(),
      mongodbVersion().catch(() => null),
      temporalVersion().catch(() => null),
    ]);
    return {
      status: report.ok ? 'ready' : 'not_ready',
      parts: Object.entries(report.dependencies).map(([name, part]) => ({ name, ...part })),
      warnings: report.warnings ?? [],
      reconciled_at,
      versions: {
        leadwire: build.version,
        commit: build.commit,
        built_at: build.builtAt,
        node: process.versions.node,
        mongodb,
        temporal,
      },
      links: {
        metrics_url: metricsUrl(config, siteUrl()),
        temporal_ui_url: config.temporalUiUrl,
        temporal_namespace: config.temporalNamespace,
      },
    };
  };
}

type Addresses = Pick<Config, 'healthPort'>;

/** With a port of their own, metrics are for the operators of the installation, who know its address. */
const metricsUrl = ({ healthPort }: Addresses, site: string): string | null =>
  healthPort === undefined ? `${site.replace(/\/$/, '')}/metrics` : null;
