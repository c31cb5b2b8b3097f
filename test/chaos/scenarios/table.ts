/** Short tables for the terminal. */

export interface Table {
  title: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

/** The first column left-aligned, the others right-aligned. */
export function describeTable({ title, head, rows }: Table): string[] {
  const all = head.every((name) => name === '') ? rows : [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const lines = all.map((row) =>
    widths
      .map((width, column) => {
        const cell = row[column] ?? '';
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
  return ['', title, ...lines.map((line) => `  ${line}`)];
}

/** A number with the given decimals; `-` for null, `never` for Infinity. */
export function cell(value: number | null, decimals = 0, unit = ''): string {
  if (value === Infinity) return 'never';
  if (value === null || !Number.isFinite(value)) return '-';
  return `${value.toFixed(decimals)}${unit}`;
}
