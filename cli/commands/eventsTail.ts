/** `leadwire events tail`: events as they happen, the newest at the bottom. */
import { EXIT, type ExitCode } from '../terminal/errors.js';
import { followEvents, type FollowedEvents, eventLine } from '../feeds/followEvents.js';
import type { Row } from '../output/rows.js';
import type { Terminal } from '../terminal/terminal.js';

export interface EventsTailOptions extends FollowedEvents {
  jsonl?: true;
}

/** Ctrl-C, SIGTERM and a reader that closes the output end it in order, with the exit code 0. */
export async function tailEvents(
  terminal: Terminal,
  options: EventsTailOptions,
): Promise<ExitCode> {
  const lineOf = (row: Row) =>
    options.jsonl ? JSON.stringify(row) : eventLine(row, terminal.paint);
  if (terminal.isWatched) terminal.say('Following events. Ctrl-C ends it.');
  await followEvents(terminal, ['events', 'tail'], options, (rows) => {
    if (rows.length > 0) terminal.print(rows.map(lineOf).join('\n'));
  });
  return EXIT.done;
}
