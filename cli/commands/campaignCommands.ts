/** Commands made from actions on campaigns, in addition to those of the registry. */
import type { Command } from 'commander';
import type { CheckOptions } from './campaignCheck.js';
import type { GuideOptions } from './campaignGuide.js';
import type { ExitCode } from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';

const EXAMPLE_ID = '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11';

type Ended = (code: ExitCode) => void;

/** @param ended receives the exit code */
export function addCampaignCommands(program: Command, terminal: Terminal, ended: Ended): void {
  const campaigns = program.commands.find((command) => command.name() === 'campaigns');
  if (!campaigns) return;
  campaigns.summary(`${campaigns.summary()}, check, guide`);
  const check = campaigns
    .command('check')
    .argument('<campaign-id>', 'the campaign')
    .summary('Check whether a campaign accepts live leads, and what is missing')
    .description(
      'Each setup step of a campaign: ✓ done, ✗ missing, ! advice, with the command that does it. Names, prices and ' +
        'addresses in a command are examples. Exit code 1 when something is missing.\n\nPermission: campaigns:read.',
    )
    .option('--json [fields]', 'JSON; with a list, only these fields')
    .addHelpText('after', `\nExample:\n  leadwire campaigns check ${EXAMPLE_ID}`);
  check.action(async (id: string) => {
    const { checkCampaign } = await import('./campaignCheck.js');
    ended(await checkCampaign(terminal, id, check.optsWithGlobals<CheckOptions>()));
  });
  const guide = campaigns
    .command('guide')
    .argument('<campaign-id>', 'the campaign')
    .summary("Show a supplier's posting guide, as Markdown")
    .description(
      'Everything a supplier needs to post leads to a campaign, as a Markdown page: address, fields and rules, ' +
        'working command lines, answers, limits. campaigns api-spec returns the same as data.\n\nPermission: ' +
        'campaigns:read.',
    )
    .option('--supplier-id <id>', 'for this supplier; otherwise with placeholders')
    .option('--reveal-key', "include the supplier's key; needs suppliers:write, and is recorded")
    .option('--json [fields]', 'as data; with a list, only these fields')
    .addHelpText('after', `\nExample:\n  leadwire campaigns guide ${EXAMPLE_ID} > guide.md`);
  guide.action(async (id: string) => {
    const { showGuide } = await import('./campaignGuide.js');
    ended(await showGuide(terminal, id, guide.optsWithGlobals<GuideOptions>()));
  });
}
