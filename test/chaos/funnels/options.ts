/** The options of `npm run chaos:funnels`. */
import { parseArgs } from 'node:util';
import type { LayoutName } from '../cluster/layouts.js';
import { newSeed, readCount, readLayout, ROLES_HELP } from '../readOption.js';
import { funnelMutants } from './mutants.js';

export interface FunnelKillOptions {
  kills: number;
  /** Visitors at one time. */
  visitors: number;
  seed: string;
  /** How the roles are spread over processes. */
  layout: LayoutName;
  /** Names of mutants. */
  planted?: string[];
  keep: boolean;
  /** File for the findings. */
  json?: string;
}

const KILLS = 200;
const VISITORS = 20;
const COUNT_MAX = 100_000;

export const HELP = `npm run chaos:funnels -- [options]

Starts real servers, the roles of the service as processes of their own and a published funnel. Visitors that know
nothing but HTML fill it in and send it; roles are killed with SIGKILL while they do. At the end what each visitor saw
is compared with the leads, the records of consent and the buyer's own list. The last line counts what must not be;
the exit code is 0 only if all of it is 0.

  --kills N      processes to kill (${KILLS})
  --visitors N   visitors at a time (${VISITORS})
  --seed X       of the kills and of what visitors do (a new one each time)
  --roles HOW    ${ROLES_HELP}
  --planted BUGS with planted bugs, to see them caught: ${Object.keys(funnelMutants).join(',')}
  --json FILE    writes kills, violations and counts
  --keep         keeps the folder of the run, which a failed run does anyway
  --help         says this
`;

/**
 * @returns null when `--help` was given
 * @throws {Error} that names the option, the rule and a correct value
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
      roles: text,
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
    kills: readCount('kills', values.kills, 0, COUNT_MAX) ?? KILLS,
    visitors: readCount('visitors', values.visitors, 1, COUNT_MAX) ?? VISITORS,
    seed: values.seed ?? newSeed(),
    layout: readLayout(values.roles),
    planted,
    keep: values.keep,
    json: values.json,
  };
}
