/** `delivery` and `response`, `accept_when`, 0 is `delivery.response.accept_when[0]`. */
export function fieldOf(prefix: string, path: readonly PropertyKey[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return `${prefix}${steps.join('')}`.replace(/^\./, '');
}
