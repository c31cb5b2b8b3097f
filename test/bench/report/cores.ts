/** The figures of the processors' shares at saturation: the contenders, and the groups of processes. */

/** The service and the references, which are under load in turn. */
export const CONTENDERS = ['leads', 'empty_workflow', 'workflow_per_lead', 'plain_koa'] as const;
export type Contender = (typeof CONTENDERS)[number];

/** `own`: the processes of the contender itself. `other`: the system and all unnamed programs. */
export const SHARES = ['own', 'mongod', 'temporal', 'buyers', 'load', 'other', 'idle'] as const;
export type Share = (typeof SHARES)[number];

export type CoresName = `cores_${Contender}_${Share}`;

export const CORES_NAMES: readonly CoresName[] = CONTENDERS.flatMap((contender) =>
  SHARES.map((share): CoresName => `cores_${contender}_${share}`),
);

export const isCoresName = (name: string): name is CoresName => name.startsWith('cores_');

/** One row for each contender, and a value for each of {@link SHARES}; null: not measured. */
export function coresRows(
  figures: readonly { name: string; value: number }[],
): { contender: Contender; shares: (number | null)[] }[] {
  const values = new Map(figures.map(({ name, value }) => [name, value]));
  return CONTENDERS.map((contender) => ({
    contender,
    shares: SHARES.map((share) => values.get(`cores_${contender}_${share}`) ?? null),
  })).filter(({ shares }) => shares.some((value) => value !== null));
}
