/** `npm run chaos:funnels`: `options.ts` lists its options. Progress goes to standard error. */
import { writeFile } from 'node:fs/promises';
import { readConfig } from '../../../src/app/config.js';
import { createTerminalReporter } from '../../../src/embedded/terminalReporter.js';
import { HELP, readFunnelOptions, type FunnelKillOptions } from './options.js';
import { describeFunnelRun, lastFunnelLine } from './report.js';
import { runFunnelKills } from './run.js';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  let options: FunnelKillOptions | null;
  try {
    options = readFunnelOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
  if (!options) {
    say(HELP.trimEnd());
    return 0;
  }
  const result = await runFunnelKills({
    ...options,
    cacheDir: readConfig(process.env).cacheDir,
    reporter: createTerminalReporter(),
    say: (line) => void process.stderr.write(`  ${line}\n`),
  });
  describeFunnelRun(result).forEach(say);
  say(lastFunnelLine(result));
  if (options.json !== undefined) {
    const { kills, violations, evidence } = result;
    const report = { options, kills, violations, visits: evidence.visits };
    await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
  }
  return result.violations.length === 0 ? 0 : 1;
}

/** A process that the run leaves behind must not keep the verdict from the caller. */
const end = (code: number): void => void process.stdout.write('', () => process.exit(code));

main().then(end, (error: unknown) => {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  end(1);
});
