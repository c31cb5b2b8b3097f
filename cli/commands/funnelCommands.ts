/** Commands made from actions on funnels, in addition to those of the registry. */
import type { Command } from 'commander';
import type { FunnelOpenOptions } from './funnelOpen.js';
import type { ExitCode } from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';

/** @param ended receives the exit code */
export function addFunnelCommands(
  program: Command,
  terminal: Terminal,
  ended: (code: ExitCode) => void,
): void {
  const funnels = program.commands.find((command) => command.name() === 'funnels');
  if (!funnels) return;
  funnels.summary(`${funnels.summary()}, open`);
  const open = funnels
    .command('open')
    .argument('<funnel-id>', 'the funnel')
    .summary('Open a funnel in the browser')
    .description(
      'Prints where visitors open a funnel, or the preview of its draft where it is not published, and opens it where ' +
        'there is a browser.\n\nPermission: funnels:read; a preview also needs funnels:write.',
    )
    .option('--preview', 'the draft, even where the funnel is published')
    .option('--print', 'print the address, and open nothing')
    .option('--json', 'JSON: the address, and whether it is a preview')
    .addHelpText('after', '\nExample:\n  leadwire funnels open fun_3f9a60c17a3d4a539a510f2b');
  open.action(async (funnelId: string) => {
    const { openFunnel } = await import('./funnelOpen.js');
    ended(await openFunnel(terminal, funnelId, open.optsWithGlobals<FunnelOpenOptions>()));
  });
}
