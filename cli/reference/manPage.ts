/** The manual page, leadwire(1), made from the commands themselves (roff with the macros of man(7)). */
import type { Argument, Command, Option } from 'commander';
import { commandTree, helpOf, type Leaf } from './commandTree.js';

/**
 * @param described the program, whose terminal prints nothing
 * @param version of the program, as the foot of the page shows it
 */
export function createManPage(described: Command, version: string): string {
  const [program, ...commands] = commandTree(described);
  if (!program) return '';
  const { command } = program;
  return [
    `.TH LEADWIRE 1 "" ${quoted(`leadwire ${version}`)} "Leadwire"`,
    section('NAME'),
    roff('leadwire - open, self-hosted lead distribution'),
    section('SYNOPSIS'),
    '.B leadwire',
    roff('<command> [arguments] [options]'),
    section('DESCRIPTION'),
    roff(
      'Runs Leadwire and works with the account of an organization: its campaigns, buyers, suppliers, leads and ' +
        'reports.',
    ),
    section('OPTIONS'),
    ...command.options.flatMap(optionOf),
    section('COMMANDS'),
    ...commands.flatMap(commandOf),
    section('EXIT STATUS'),
    ...EXIT_STATUS.flatMap(([code, meaning]) => ['.TP', `.B ${code}`, roff(meaning)]),
    section('ENVIRONMENT'),
    ...ENVIRONMENT.flatMap(([name, meaning]) => ['.TP', `.B ${roff(name)}`, roff(meaning)]),
    '',
  ].join('\n');
}

const EXIT_STATUS = [
  ['0', 'Done.'],
  ['1', 'Failed, or wrong usage.'],
  ['2', 'Canceled.'],
  ['3', 'diff found differences.'],
  ['4', 'There is no valid key: log in.'],
  ['8', 'The result is not known yet.'],
] as const;

const ENVIRONMENT = [
  ['LEADWIRE_URL', 'Address of the server, instead of a stored one.'],
  ['LEADWIRE_API_KEY', 'Key of the organization, instead of a stored one.'],
  ['LEADWIRE_PROFILE', 'The stored account to use.'],
  ['NO_COLOR', 'No color, whatever its value.'],
  ['PAGER', 'Shows long lists; LEADWIRE_PAGER overrides it.'],
] as const;

function commandOf({ path, command }: Leaf): string[] {
  const words = path.split(' ').slice(1).join(' ');
  const usage = [command.usage().replace('[options]', ''), '[options]'].join(' ').trim();
  return [
    `.SS ${quoted(words)}`,
    `.B leadwire ${roff(words)}`,
    roff(usage.replace(/ +/g, ' ')),
    '.PP',
    roff(command.description() || command.summary()),
    ...command.registeredArguments.flatMap(argumentOf),
    ...command.options.filter(({ hidden }) => !hidden).flatMap(optionOf),
    ...examplesOf(helpOf(command)),
  ];
}

/** The text after the options in a command's help, as it is there. */
function examplesOf(help: string): string[] {
  const [, examples] = help.split(/^(?=Examples?:$)/m);
  return examples ? ['.PP', '.nf', ...examples.trim().split('\n').map(verbatim), '.fi'] : [];
}

const argumentOf = (argument: Argument): string[] =>
  argument.description === ''
    ? []
    : ['.TP', `.I ${roff(argument.name())}`, roff(argument.description)];

const optionOf = (option: Option): string[] => {
  const known = option.defaultValue === undefined ? [] : [`Default: ${shown(option)}.`];
  const choices = option.argChoices ? [`One of ${option.argChoices.join(', ')}.`] : [];
  const text = [sentence(option.description), ...choices, ...known].join(' ').trim();
  return ['.TP', `.B ${roff(option.flags)}`, roff(text)];
};

const shown = ({ defaultValue, defaultValueDescription }: Option): string =>
  defaultValueDescription ?? String(defaultValue);

const sentence = (text: string): string => (text === '' || /[.!?]$/.test(text) ? text : `${text}.`);
const section = (name: string): string => `.SH ${name}`;
const quoted = (text: string): string => `"${roff(text).replaceAll('"', '\\(dq')}"`;

/** Text that roff fills and shows unchanged. */
const roff = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(verbatim)
    .join('\n.br\n');

/** One line: no escapes, no requests, hyphens that can be copied. */
const verbatim = (line: string): string =>
  line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');
