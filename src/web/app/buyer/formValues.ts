/** The values typed into a form. */

/** Without the spaces around it; empty where nothing was typed. */
export function textOf(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** Undefined where nothing was typed. Text that is no number goes to the service as it is, which refuses it. */
export function numberOf(values: FormData, name: string): number | undefined {
  const text = textOf(values, name);
  return text === '' ? undefined : Number(text);
}
