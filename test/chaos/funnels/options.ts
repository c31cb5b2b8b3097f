/** What can be said to `npm run chaos:funnels`. */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { funnelMutants } from './mutants.js';

export interface FunnelKillOptions {
  kills: number;
  /** Visitors at a time. */
  visitors: number;
  seed: string;
  /** Names of mutants. */
  planted?: string[];
  keep: boolean;
  /** File for what was found. */
  json?: string;
}

const KILLS = 200;
const VISITORS = 20;

export const HELP = `npm run chaos:funnels -- [options]

Starts real servers, the roles of the service as processes of their own and a published funnel. Visitors that know
nothing but HTML fill it in and send it; roles are killed with SIGKILL while they do. At the end what each visitor saw
is compared with the leads, the records of consent and the buyer's own list. The last line counts what must not be;
the exit code is 0 only if all of it is 0.

  --kills N      processes to kill (${KILLS})
  --visitors N   visitors at a time (${VISITORS})
  --seed X       of the kills and of what visitors do (a new one each time)
  --planted BUGS with planted bugs, to see them caught: ${Object.keys(funnelMutants).join(',')}
  --json FILE    writes kills, violations and counts
  --keep         keeps the folder of the run, which a failed run does anyway
  --help         says this
`;

/**
 * @returns null when the help was asked for
 * @throws {Error} that names the option, the rule and what would be right
 */
export function readFunnelOptions(args: readonly string[]): FunnelKillOptions | null {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      kills: text,
      visitors: text,
      seed: text,
      planted: text,
      json: text,
      keep: flag,
      help: flag,
    },
  });
  if (values.help) return null;
  const planted = values.planted?.split(',');
  if (planted?.some((name) => !Object.hasOwn(funnelMutants, name)))
    throw new Error(
      `--planted must name some of ${Object.keys(funnelMutants).join(', ')}, with commas between.`,
    );
  return {
    kills: count('kills', values.kills, 0) ?? KILLS,
    visitors: count('visitors', values.visitors, 1) ?? VISITORS,
    seed: values.seed ?? randomBytes(4).toString('hex'),
    planted,
    keep: values.keep,
    json: values.json,
  };
}

const COUNT_MAX = 100_000;

function count(name: string, given: string | undefined, least: number): number | undefined {
  if (given === undefined) return undefined;
  const value = Number(given);
  if (Number.isInteger(value) && value >= least && value <= COUNT_MAX) return value;
  throw new Error(`--${name} must be a whole number from ${least} to ${COUNT_MAX}.`);
}
