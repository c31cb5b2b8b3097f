/** The commands that processes have sent to MongoDB, from their metrics. */
export interface CommandCount {
  command: string;
  collection: string;
  count: number;
}
export type Commands = readonly CommandCount[];

const LINE =
  /^leadwire_mongodb_commands_total\{command="(\w+)",collection="(\w*)"\} (\d+(?:\.\d+)?(?:e\+\d+)?)$/gm;

/** The sum over all these processes. */
export async function readCommands(metricsUrls: readonly string[]): Promise<Commands> {
  const pages = await Promise.all(
    metricsUrls.map(async (url) => (await fetch(`${url}/metrics`)).text()),
  );
  return pages.flatMap((page) =>
    [...page.matchAll(LINE)].map(([, command = '', collection = '', count]) => ({
      command,
      collection,
      count: Number(count),
    })),
  );
}

/** The difference since an earlier reading. */
export function differenceOf(after: Commands, before: Commands): Commands {
  return [...after, ...before.map((one) => ({ ...one, count: -one.count }))];
}

export const totalOf = (commands: Commands): number =>
  commands.reduce((sum, { count }) => sum + count, 0);

export function sumBy(commands: Commands, key: 'command' | 'collection'): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const one of commands) {
    const name = one[key] || '(none)';
    sums[name] = (sums[name] ?? 0) + one.count;
  }
  return sums;
}
