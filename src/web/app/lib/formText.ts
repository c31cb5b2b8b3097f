/** The text typed into a control of a form, without the spaces around it; empty without a control of that name. */
export function formText(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
