/** `leadwire campaigns check`: whether a campaign accepts live leads, and the command that fixes what is missing. */
import { exampleLine } from '../actions/options.js';
import { readManifest, type CommandEntry } from '../actions/manifest.js';
import { callServer } from '../client/call.js';
import { resolveShown } from '../references/references.js';
import { EXIT, type ExitCode } from '../terminal/errors.js';
import type { Paint } from '../output/paint.js';
import { visible } from '../output/cells.js';
import { jsonFields, pick } from '../output/formats.js';
import type { Terminal } from '../terminal/terminal.js';

export interface CheckOptions {
  json?: string | true;
  profile?: string;
}

interface Step {
  title: string;
  done: boolean;
  /** Without it no live lead is sold; false: it is advice. */
  required: boolean;
  detail: string;
  action: { name: string; input: Record<string, unknown> } | null;
}

export interface OnboardingStatus {
  ready: boolean;
  campaign: { id: string; name: string; status: string };
  steps: Step[];
}

const FIELDS = ['ready', 'campaign', 'steps'];

/** Exit code 1 when a required step is missing. */
export async function checkCampaign(
  terminal: Terminal,
  { json, profile }: CheckOptions,
  campaign: string,
): Promise<ExitCode> {
  const fields = jsonFields(json, FIELDS, 'leadwire campaigns check');
  const caller = { profile, cli: ['campaigns', 'check'] as const };
  const { data } = await callServer(terminal, caller, async (client, { connection }) => {
    const lookup = { client, connection, environment: terminal.environment };
    const campaign_id = await resolveShown(lookup, 'campaign_id', campaign);
    return client.run('get_onboarding_status', { campaign_id });
  });
  const status = data as OnboardingStatus;
  terminal.print(
    json === undefined
      ? formatCheck(status, readManifest(), terminal.paint)
      : JSON.stringify(pick(status, fields ?? FIELDS), null, 2),
  );
  return status.ready ? EXIT.done : EXIT.failed;
}

/** One line per step; under a missing one the command for it, with examples where a value is to be chosen. */
function formatCheck(
  { ready, campaign, steps }: OnboardingStatus,
  commands: readonly CommandEntry[],
  paint: Paint,
): string {
  const lines = steps.flatMap(({ title, done, required, detail, action }) => {
    const mark = done ? paint.green('✓') : required ? paint.red('✗') : paint.yellow('!');
    const advice = !done && !required ? ' (advice)' : '';
    const line = `${mark} ${paint.bold(visible(title))}${advice}  ${visible(detail)}`;
    const command = action ? commandOf(action, commands) : null;
    return command === null
      ? [line]
      : [line, paint.dim(`    ${command.replaceAll('\n', '\n    ')}`)];
  });
  const left = steps.filter(({ done, required }) => required && !done).length;
  const verdict = ready
    ? paint.green('It accepts live leads.')
    : paint.red(
        `${left} ${left === 1 ? 'thing is' : 'things are'} missing before it accepts live leads.`,
      );
  const heading = `${paint.bold(visible(campaign.name))} (${campaign.id}) is ${campaign.status}.`;
  return [heading, ...lines, verdict].join('\n');
}

function commandOf(
  { name, input }: NonNullable<Step['action']>,
  commands: readonly CommandEntry[],
): string | null {
  const entry = commands.find((command) => command.name === name);
  return entry ? exampleLine({ ...entry, example: input }) : null;
}
