/** The values typed into a form. */

/** The text of a control, without the spaces around it; empty without a control of that name. */
export function formText(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** Undefined where nothing was typed; NaN for a text that is no number. */
export function formNumber(values: FormData, name: string): number | undefined {
  const text = formText(values, name);
  return text === '' ? undefined : Number(text);
}
