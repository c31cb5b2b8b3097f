/** The account that the command line works on: log in and out, profiles; and completion for shells. */
import type { Command } from 'commander';
import { EXIT } from '../terminal/errors.js';
import type { CliCommand } from '../terminal/command.js';
import { readVersion } from '../../src/lib/version.js';
import { JSON_FIELDS } from './options.js';

const GROUP = 'This program:';
const JQ = ['--jq <filter>', 'the JSON filtered by jq'] as const;

/** @param described creates the program anew, for the manual page: its terminal prints nothing */
export function addAccessCommands(program: CliCommand, described: () => Command): void {
  const command = (name: string, summary: string): CliCommand =>
    program.command(name).helpGroup(GROUP).summary(summary);
  command('login', 'store a server and a key')
    .description(
      'Store a server and a key of an organization, after checking the key with the server. The command asks for the ' +
        'key, or reads it from standard input; it is never an argument, which others could see.\n\nThe profile that it ' +
        'stores, --profile or the one in use, is the one in use from then on; leadwire profiles use NAME switches back.',
    )
    .option('--url <url>', 'address of the server')
    .option('--demo', 'the server and key that leadwire up --demo wrote (LEADWIRE_HOME)')
    .example(
      'leadwire login --url https://leads.example.com < key.txt',
      'leadwire login --profile staging --url https://staging.example.com',
    )
    .runs(async () => (await import('./login.js')).runLogin);
  command('logout', 'forget a stored key')
    .description(
      'Forget the key of a profile. The key itself stays valid until leadwire keys revoke.',
    )
    .runs(async () => (await import('./profiles.js')).runLogout);
  command('whoami', 'show the organization, the key and its permissions')
    .description('Show the server, the organization, the key, and its permissions.')
    .option(...JSON_FIELDS)
    .option(...JQ)
    .runs(async () => (await import('./whoami.js')).runWhoami);
  command('version', 'versions of this program, of Node and of the server')
    .description(
      'Show the version of this program and the build that it is, the Node that it runs on, and the version of the ' +
        'server, where one answers within a second.',
    )
    .option(...JSON_FIELDS)
    .option(...JQ)
    .runs(async () => (await import('./version.js')).showVersion);
  addProfiles(command('profiles', 'list, use, remove'));
  addCompletion(command('completion', 'completion for bash, zsh and fish'), program);
  command('man', 'the manual page')
    .description('Print the manual page, leadwire(1), with every command.')
    .example('leadwire man | man -l -', 'leadwire man > /usr/local/share/man/man1/leadwire.1')
    .runs(async () => {
      const { createManPage } = await import('../reference/manPage.js');
      return ({ print }) => {
        print(createManPage(described(), readVersion()));
        return EXIT.done;
      };
    });
}

function addProfiles(profiles: CliCommand): void {
  profiles.description('The stored servers and keys.');
  profiles
    .command('list')
    .summary('list the stored profiles')
    .description('List the stored profiles; only the beginning of a key is shown.')
    .option(...JSON_FIELDS)
    .option(...JQ)
    .runs(async () => (await import('./profiles.js')).listProfiles);
  profiles
    .command('use')
    .argument('<name>', 'name of the profile')
    .summary('use a profile from now on')
    .description('Use this profile by default.')
    .runs(async () => (await import('./profiles.js')).applyProfile);
  profiles
    .command('remove')
    .argument('<name>', 'name of the profile')
    .summary('forget a profile')
    .description('Forget a profile and its key.')
    .runs(async () => (await import('./profiles.js')).runLogout);
}

function addCompletion(completion: CliCommand, program: CliCommand): void {
  completion
    .description(
      'Print the script with which a shell completes commands, flags, and ids of the account.',
    )
    .argument('<shell>', 'bash, zsh or fish')
    .addHelpText(
      'after',
      '\nTo enable it:\n  bash  source <(leadwire completion bash)          # in ~/.bashrc\n  zsh   source ' +
        '<(leadwire completion zsh)           # in ~/.zshrc, after compinit\n  fish  leadwire completion fish > ' +
        '~/.config/fish/completions/leadwire.fish',
    )
    .runs(async () => {
      const { completionScript } = await import('../reference/completion/scripts.js');
      return ({ print }, _options, shell = '') => {
        print(completionScript(shell));
        return EXIT.done;
      };
    });
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .runs(async () => {
      const { complete } = await import('../reference/completion/complete.js');
      return (terminal, _options, ...words) => complete(terminal, program, words);
    });
}
