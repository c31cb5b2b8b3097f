/** How large the groups of the intake are, and how many are in flight: by the metrics of the service. */

/** What the groups settled so far add up to. */
export interface GroupSums {
  groups: number;
  leads: number;
  /** Seconds in flight of all of them together. */
  seconds: number;
}

export interface GroupMeans {
  leadsPerGroup: number;
  /** On average over the time. */
  inFlight: number;
}

/** The sum over all these processes; those without an intake have none. */
export async function readGroups(metricsUrls: readonly string[]): Promise<GroupSums> {
  const pages = await Promise.all(
    metricsUrls.map(async (url) => (await fetch(`${url}/metrics`)).text()),
  );
  return groupsIn(pages.join('\n'));
}

export function groupsIn(pages: string): GroupSums {
  const total = (name: string): number => {
    const lines = pages.matchAll(new RegExp(`^leadwire_intake_group_${name} (\\S+)$`, 'gm'));
    return [...lines].reduce((sum, [, value]) => sum + Number(value), 0);
  };
  return {
    groups: total('leads_count'),
    leads: total('leads_sum'),
    seconds: total('seconds_sum'),
  };
}

/** @returns undefined when no group was settled meanwhile: the load was no intake */
export function groupsBetween(
  before: GroupSums,
  after: GroupSums,
  elapsedSeconds: number,
): GroupMeans | undefined {
  const groups = after.groups - before.groups;
  if (groups === 0) return undefined;
  return {
    leadsPerGroup: (after.leads - before.leads) / groups,
    inFlight: (after.seconds - before.seconds) / elapsedSeconds,
  };
}

export const groupsLine = ({ leadsPerGroup, inFlight }: GroupMeans): string =>
  `groups: ${leadsPerGroup.toFixed(1)} leads each, ${inFlight.toFixed(1)} in flight`;
