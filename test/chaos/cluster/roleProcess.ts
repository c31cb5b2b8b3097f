/**
 * One role of the service, as `src/main.ts` starts it, under control of a chaos run: it reports over its channel
 * that it is ready, what `reconcile` mended and what no record shows, it may carry a mutant, and ends with its parent.
 *   node roleProcess.js <role>
 */
import { readConfig } from '../../../src/app/config.js';
import type { Deps } from '../../../src/app/deps.js';
import { getOwn } from '../../../src/lib/getOwn.js';
import { createLog } from '../../../src/lib/log.js';
import { startService } from '../../../src/app/service.js';
import { type Role } from '../../../src/app/role.js';
import { installCalendars } from '../load/calendar.js';
import { funnelMutants } from '../funnels/mutants.js';
import { mutants } from '../mutants/index.js';
import { observe, type MetState } from './observe.js';

export type RoleMessage =
  | { type: 'ready' }
  | { type: 'reconciled'; kind: string; count: number }
  | { type: 'met'; state: MetState };

const tell = (news: RoleMessage): void => {
  if (process.connected) process.send?.(news, undefined, undefined, () => undefined);
};

/** The counter itself is lost with its process. */
function tellReconciled(deps: Deps): Deps {
  const { reconciled } = deps.metrics;
  const increase = reconciled.inc.bind(reconciled);
  reconciled.inc = ((labels: { kind: string }, by: number) => {
    if (by > 0) tell({ type: 'reconciled', kind: labels.kind, count: by });
    increase(labels, by);
  }) as typeof reconciled.inc;
  return deps;
}

/** `CHAOS_PLANTED` names mutants, separated by commas. */
function alteration(): (deps: Deps) => Deps {
  const named = (process.env.CHAOS_PLANTED ?? '').split(',').filter((name) => name !== '');
  const planted = named.map((name) => {
    const mutant = getOwn(mutants, name) ?? getOwn(funnelMutants, name);
    if (!mutant) throw new Error(`There is no planted bug named ${name}`);
    return mutant;
  });
  const onMet = (state: MetState): void => tell({ type: 'met', state });
  // Mutants wrap the observers, so that what the process really does is counted.
  return (deps) =>
    planted.reduce(
      (altered, mutant) => mutant.alter(altered),
      observe(tellReconciled(deps), onMet),
    );
}

installCalendars();
const role = process.argv[2] as Role;
const config = readConfig(process.env);
const { mongodbUri = '', temporalAddress = '', temporalNamespace, secret = '' } = config;
const service = await startService({
  config,
  stack: { mongodbUri, temporalAddress, temporalNamespace, secret },
  role,
  log: createLog(config.logLevel, role),
  onFatal: () => process.exit(1),
  alter: alteration(),
});
const stop = (): void => {
  service.stop().then(
    () => process.exit(0),
    () => process.exit(1),
  );
};
process.on('SIGTERM', stop);
process.on('disconnect', () => process.exit(1));
tell({ type: 'ready' });
