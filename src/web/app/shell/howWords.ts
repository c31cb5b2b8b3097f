/** How what a screen shows, or does, is asked for elsewhere: as a command, over HTTP, by an assistant. */
import type { Command } from '../../build/commands.js';

type Input = Readonly<Record<string, unknown>>;

/** The command line, quoted for a shell. */
export function commandOf({ cli, positional, ...flags }: Command, input: Input): string {
  const words = ['leadwire', ...cli];
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const place = given.find(([key]) => key === positional);
  if (place) words.push(textOf(place[1]));
  for (const [key, value] of given) {
    if (key === positional) continue;
    const flag = `--${key.replaceAll('_', '-')}`;
    if (flags.secrets?.includes(key)) words.push(`${flag}-file`, 'secret.txt');
    else if (flags.booleans?.includes(key) && typeof value === 'boolean')
      words.push(value ? flag : flag.replace('--', '--no-'));
    else words.push(flag, flags.lists?.includes(key) ? listOf(value) : textOf(value));
  }
  return words.map(quote).join(' ');
}

/** The request by curl, with the key of the person who runs it. */
export const curlOf = (action: string, input: Input, origin: string): string =>
  [
    `curl -sS ${origin}/api/v1/actions/${action}`,
    '  -H "authorization: Bearer $LEADWIRE_API_KEY"',
    `  -H 'content-type: application/json'`,
    `  -d ${quote(JSON.stringify(input))}`,
  ].join(' \\\n');

/** The call of the tool, as an assistant makes it. */
export const toolCallOf = (action: string, input: Input): string =>
  JSON.stringify({ name: action, arguments: input }, null, 2);

/** `@` begins the name of a file. */
const textOf = (value: unknown): string => {
  if (typeof value !== 'string') return JSON.stringify(value);
  return value.startsWith('@') ? `@${value}` : value;
};

/** Commas divide a list, so that a text with one is written in JSON. */
function listOf(value: unknown): string {
  const isPlain = (one: unknown) => typeof one === 'string' && !/^\s*\[|^\s|,|\s$|^@|^$/.test(one);
  return Array.isArray(value) && value.length > 0 && value.every(isPlain)
    ? value.join(',')
    : textOf(value);
}

/** For a POSIX shell. */
function quote(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (!text.includes('\n')) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const escaped = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n');
  return `$'${escaped}'`;
}
