/** The account that the command line works on: log in and out, profiles; and completion for shells. */
import type { Command } from 'commander';
import type { LoginOptions } from './login.js';
import type { ExitCode } from '../terminal/errors.js';
import type { ShowOptions } from '../output/show.js';
import type { Terminal } from '../terminal/terminal.js';
import { readVersion } from '../../src/lib/version.js';

const GROUP = 'This program:';

type Ended = (code: ExitCode) => void;

/**
 * @param described creates the program anew, for the manual page: its terminal prints nothing
 * @param ended receives the exit code
 */
export function addAccessCommands(
  program: Command,
  terminal: Terminal,
  described: () => Command,
  ended: Ended,
): void {
  const command = (name: string, summary: string): Command =>
    program.command(name).helpGroup(GROUP).summary(summary);
  const profileOf = (one: Command) => one.optsWithGlobals<{ profile?: string }>().profile;
  const login = command('login', 'store a server and a key')
    .description(
      'Store a server and a key of an organization, after checking the key with the server. The command asks for the ' +
        'key, or reads it from standard input; it is never an argument, which others could see.',
    )
    .option('--url <url>', 'address of the server')
    .option('--demo', 'the server and key that leadwire up --demo wrote (LEADWIRE_HOME)')
    .addHelpText('after', '\nExample:\n  leadwire login --url https://leads.example.com < key.txt');
  login.action(async (options: LoginOptions) => {
    const { runLogin } = await import('./login.js');
    ended(await runLogin(terminal, { ...options, profile: profileOf(login) }));
  });
  const logout = command('logout', 'forget a stored key').description(
    'Forget the key of a profile. The key itself stays valid until leadwire keys revoke.',
  );
  logout.action(async () => {
    const { runLogout } = await import('./profiles.js');
    ended(runLogout(terminal, profileOf(logout)));
  });
  const whoami = command('whoami', 'show the organization, the key and its permissions')
    .description('Show the server, the organization, the key, and its permissions.')
    .option('--json [fields]', 'JSON; with a list, only these fields')
    .option('--jq <filter>', 'the JSON filtered by jq');
  whoami.action(async (options: { json?: string | true; jq?: string }) => {
    const { runWhoami } = await import('./whoami.js');
    ended(await runWhoami(terminal, { ...options, profile: profileOf(whoami) }));
  });
  addProfiles(command('profiles', 'list, use, remove'), terminal, ended);
  addCompletion(program, command, terminal, ended);
  addManual(command, terminal, described, ended);
}

function addProfiles(profiles: Command, terminal: Terminal, ended: Ended): void {
  profiles.description('The stored servers and keys.');
  profiles
    .command('list')
    .summary('list the stored profiles')
    .description('List the stored profiles; only the beginning of a key is shown.')
    .option('--json [fields]', 'JSON; with a list, only these fields')
    .option('--jq <filter>', 'the JSON filtered by jq')
    .action(async (options: ShowOptions) => {
      const { listProfiles } = await import('./profiles.js');
      ended(await listProfiles(terminal, options));
    });
  profiles
    .command('use')
    .argument('<name>', 'name of the profile')
    .summary('use a profile from now on')
    .description('Use this profile by default.')
    .action(async (name: string) => {
      const { applyProfile } = await import('./profiles.js');
      ended(applyProfile(terminal, name));
    });
  profiles
    .command('remove')
    .argument('<name>', 'name of the profile')
    .summary('forget a profile')
    .description('Forget a profile and its key.')
    .action(async (name: string) => {
      const { runLogout } = await import('./profiles.js');
      ended(runLogout(terminal, name));
    });
}

function addCompletion(
  program: Command,
  command: (name: string, summary: string) => Command,
  terminal: Terminal,
  ended: Ended,
): void {
  const completion = command('completion', 'completion for bash, zsh and fish')
    .description(
      'Print the script with which a shell completes commands, flags, and ids of the account.',
    )
    .argument('<shell>', 'bash, zsh or fish')
    .addHelpText(
      'after',
      '\nTo enable it:\n  bash  source <(leadwire completion bash)          # in ~/.bashrc\n  zsh   source ' +
        '<(leadwire completion zsh)           # in ~/.zshrc, after compinit\n  fish  leadwire completion fish > ' +
        '~/.config/fish/completions/leadwire.fish',
    );
  completion.action(async (shell: string) => {
    const { completionScript } = await import('../reference/completion/scripts.js');
    terminal.print(completionScript(shell));
    ended(0);
  });
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .action(async (words: string[]) => {
      const { complete } = await import('../reference/completion/complete.js');
      ended(await complete(terminal, program, words));
    });
}

function addManual(
  command: (name: string, summary: string) => Command,
  terminal: Terminal,
  described: () => Command,
  ended: Ended,
): void {
  const manual = command('man', 'the manual page')
    .description('Print the manual page, leadwire(1), with every command.')
    .addHelpText(
      'after',
      '\nExamples:\n  leadwire man | man -l -\n  leadwire man > /usr/local/share/man/man1/leadwire.1',
    );
  manual.action(async () => {
    const { createManPage } = await import('../reference/manPage.js');
    terminal.print(createManPage(described(), readVersion()));
    ended(0);
  });
}
