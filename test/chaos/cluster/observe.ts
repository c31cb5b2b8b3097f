/** States that a process of a run meets and no record shows. It reports each at once, because it may be killed next. */
import type { Deps } from '../../../src/app/deps.js';

export const MET = [
  'a group run by another process than the one that had stored it',
  'a lead taken by a workflow before the process that had stored it',
  'withdrawn with its run, which never began',
] as const;
export type MetState = (typeof MET)[number];

/** Wraps the dependencies of a process without changing what they do. */
export function observe(deps: Deps, onMet: (state: MetState) => void): Deps {
  const own = new Set<string>();
  const { localRuns, leads } = deps;
  return {
    ...deps,
    localRuns: {
      expect(workflowId, result) {
        own.add(workflowId);
        localRuns.expect(workflowId, result);
      },
      take(workflowId) {
        if (!own.has(workflowId))
          onMet('a group run by another process than the one that had stored it');
        own.add(workflowId);
        return localRuns.take(workflowId);
      },
    },
    leads: {
      ...leads,
      async acquireStored(stored, run, ...rest) {
        const acquired = await leads.acquireStored(stored, run, ...rest);
        acquired
          .filter((lead) => lead.run !== run)
          .forEach(() => onMet('a lead taken by a workflow before the process that had stored it'));
        return acquired;
      },
      async withdrawCalledOff(...args) {
        const withdrawn = await leads.withdrawCalledOff(...args);
        withdrawn.forEach(() => onMet('withdrawn with its run, which never began'));
        return withdrawn;
      },
    },
  };
}
