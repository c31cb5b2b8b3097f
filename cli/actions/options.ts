/** The options of a command, made from the flags of its action. */
import { Option } from 'commander';
import { fileKey, flagName, positionalOf, type CommandEntry, type Flag } from './manifest.js';
import { inline, quote } from './shellWords.js';
import { getOwn } from '../../src/lib/getOwn.js';

/** Maximum characters of a flag in help, so that its text has room; longer choices are in the text. */
const FLAG_MAX = 38;
/** Characters after which an example continues on a new line. */
const BREAK_AFTER = 84;

/** A boolean is two options, `--x` and `--no-x`, a secret `--x-file` and `--x`; any other is one that takes a value. */
export function optionsOf(flag: Flag): Option[] {
  const name = flagName(flag.key);
  const description = describe(flag);
  if (flag.kind === 'boolean') {
    const not = new Option(name.replace('--', '--no-'), 'sets it to false');
    // The default of a flag with an opposite is left to the server.
    return [new Option(name, description), not];
  }
  const option = new Option(`${name} <${placeholder(flag)}>`, description);
  if (flag.secret) {
    const file = new Option(
      `${flagName(fileKey(flag))} <file>`,
      `${description}; - is standard input`,
    );
    option.description = `the same on the command line, where others on this machine can see it`;
    return [file, option];
  }
  if (isList(flag))
    option.argParser((text: string, before?: string[]) => [...(before ?? []), text]);
  return [option];
}

const isList = ({ kind }: Flag): boolean => kind === 'texts' || kind === 'numbers';

/** The choices as the value itself, if they are short. */
function shortChoices({ key, choices }: Flag): string | null {
  const text = choices?.join('|') ?? '';
  return text !== '' && flagName(key).length + text.length + 3 <= FLAG_MAX ? text : null;
}

function placeholder(flag: Flag): string {
  const { key, kind, choices } = flag;
  const short = shortChoices(flag);
  if (short !== null) return short;
  if (choices) return 'word';
  if (flag.short) return 'words|json';
  if (key.endsWith('_id')) return 'id';
  const words = {
    text: 'text',
    integer: 'count',
    number: 'number',
    boolean: '',
    texts: 'texts',
    numbers: 'numbers',
    json: 'json',
    any: 'value',
  };
  return words[kind];
}

function describe(flag: Flag): string {
  const { choices } = flag;
  const notes = [
    ...(flag.required ? ['required'] : []),
    ...(choices && shortChoices(flag) === null ? [choices.join(', ')] : []),
    ...(isList(flag) ? ['repeatable, or separated by commas'] : []),
    ...(flag.nullable && flag.kind !== 'boolean' && !/null/.test(flag.description)
      ? ['null: none']
      : []),
    ...(flag.default === undefined ? [] : [`default ${inline(flag.default)}`]),
  ];
  const text = flag.description === '' ? flag.key.replaceAll('_', ' ') : flag.description;
  const sample = sampleText(flag);
  const whole = notes.length === 0 ? text : `${text} (${notes.join('; ')})`;
  return sample === null ? whole : `${whole.replace(/\.$/, '')}. Such as ${sample}`;
}

/** How a value of JSON may be written on a command line, for help and refusals; null where that is not known. */
export function sampleText({
  sample,
  short,
  key,
}: Pick<Flag, 'sample' | 'short' | 'key'>): string | null {
  if (sample === undefined) return null;
  const json = quote(inline(sample));
  return `${flagName(key)} ${short ? `${quote(short.sample)}, or in JSON ${json}` : json}`;
}

/** Options that stand for several inputs, or for one in words. */
export function shortOptions({ flags }: Pick<CommandEntry, 'flags'>): Option[] {
  const has = (key: string): boolean => flags.some((flag) => flag.key === key);
  const filters = flags.find(({ short }) => short?.kind === 'filter');
  const repeatable = (text: string, before?: string[]) => [...(before ?? []), text];
  const options = [
    ...(filters?.short
      ? [
          new Option(
            '--filter <words>',
            `${flagName(filters.key)} in words: --filter ${quote(filters.short.sample)} (repeatable: a lead passes all)`,
          ),
        ]
      : []),
    ...(has('daily_cap')
      ? [
          new Option(
            '--cap <window=count>',
            'caps in short: --cap daily=50,hourly=5,sun=0 (repeatable; =none removes one)',
          ),
        ]
      : []),
    ...(has('daily_budget')
      ? [
          new Option(
            '--budget <window=money>',
            'budgets in short: --budget daily=500,monthly=9000 (repeatable; =none removes one)',
          ),
        ]
      : []),
  ];
  return options.map((option) => option.argParser(repeatable));
}

/** The example of an action as typed into a shell. */
export function exampleLine(entry: CommandEntry): string {
  let line = '';
  let length = 0;
  for (const word of exampleWords(entry).map(quote)) {
    // A flag stays with its value, so only flags begin a line.
    const isBreak = length + word.length > BREAK_AFTER && word.startsWith('--');
    line += isBreak ? ` \\\n    ${word}` : `${line === '' ? '' : ' '}${word}`;
    length = isBreak ? word.length : length + word.length + 1;
  }
  return line;
}

/** The file of a secret in an example. */
export const EXAMPLE_SECRET_FILE = 'secret.txt';

export function exampleWords(entry: CommandEntry): string[] {
  const { cli, flags, example } = entry;
  const positional = positionalOf(entry);
  const words = ['leadwire', ...cli];
  if (positional) words.push(textOf(getOwn(example, positional.key)));
  for (const [key, value] of Object.entries(example)) {
    if (key === positional?.key) continue;
    const flag = flags.find((one) => one.key === key);
    const kind = flag?.kind;
    if (flag?.secret) words.push(flagName(fileKey(flag)), EXAMPLE_SECRET_FILE);
    else if (kind === 'boolean')
      words.push(value === false ? flagName(key).replace('--', '--no-') : flagName(key));
    else words.push(flagName(key), kind === 'texts' ? listOf(value) : textOf(value));
  }
  return words;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
const listOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join(',') : textOf(value);
