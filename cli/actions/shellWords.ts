/** Values as they are typed into a shell. */

/** JSON with blanks, where a long line may break. */
export const inline = (value: unknown): string =>
  JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ');

/** Quoted for a POSIX shell; line breaks by `$'…'`, which bash, zsh and ksh support. */
export function quote(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (!text.includes('\n')) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const escaped = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n');
  return `$'${escaped}'`;
}
