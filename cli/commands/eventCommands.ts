/** Commands made from events, in addition to the actions of the registry. */
import type { Command } from 'commander';
import type { EventsTailOptions } from './eventsTail.js';
import type { ListenOptions } from './listen.js';
import type { ExitCode } from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';

type Ended = (code: ExitCode) => void;

const SINCE = 'begin with events since then: 15m, 2h, 1d, or an instant';
const TYPE = 'only these event types, such as lead.accepted';

/** @param ended receives the exit code */
export function addEventCommands(program: Command, terminal: Terminal, ended: Ended): void {
  const events = program.commands.find((command) => command.name() === 'events');
  if (!events) return;
  events.summary(`${events.summary()}, tail`);
  const tail = events
    .command('tail')
    .summary('Follow events')
    .description(
      'Events as they are recorded, the newest at the bottom, until Ctrl-C. While it runs, all events are recorded, ' +
        'whether or not an automation has their trigger.\n\nPermission: leads:read.',
    )
    .option('--type <event>', TYPE)
    .option('--since <when>', SINCE)
    .option('--jsonl', 'JSON, one event per line')
    .addHelpText('after', '\nExample:\n  leadwire events tail --type lead.outcome --since 1h');
  tail.action(async () => {
    const { tailEvents } = await import('./eventsTail.js');
    ended(await tailEvents(terminal, tail.optsWithGlobals<EventsTailOptions>()));
  });

  const listening = program
    .command('listen')
    .helpGroup('The account (over HTTP):')
    .summary('post events to a program on this machine')
    .description(
      'Fetches events of the server as they happen and posts each to a program on this machine, as an automation ' +
        'would, until Ctrl-C: for developing a receiver that the server cannot reach. A refused event is shown, and ' +
        'not posted again.\n\nPermission: leads:read.',
    )
    .requiredOption('--forward-to <url>', 'where each event is posted')
    .option(
      '--secret <text>',
      'secret that signs them, as for an automation; better LEADWIRE_SIGNING_SECRET',
    )
    .option('--type <event>', TYPE)
    .option('--since <when>', SINCE)
    .option('--jsonl', 'JSON, one event per line')
    .addHelpText(
      'after',
      '\nExample:\n  leadwire listen --forward-to http://127.0.0.1:3000/events',
    );
  listening.action(async () => {
    const { listen } = await import('./listen.js');
    ended(await listen(terminal, listening.optsWithGlobals<ListenOptions>()));
  });
}
