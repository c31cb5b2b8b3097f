/** Exported histories as text, to search them for data that must not be in them. */

/** The whole text of a history, with every payload decoded and in its encoded form. */
export function decoded(history: unknown): string {
  const texts: string[] = [];
  const visit = (value: unknown): void => {
    if (value instanceof Uint8Array) {
      const bytes = Buffer.from(value);
      texts.push(bytes.toString('utf8'), bytes.toString('base64'));
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, child] of Object.entries(value)) {
        texts.push(key);
        visit(child);
      }
    } else texts.push(String(value));
  };
  visit(history);
  return texts.join('\n');
}

/** Matches the last ten digits of a phone number in any spelling. */
export function phonePattern(phone: string): RegExp {
  const digits = phone.replaceAll(/\D/g, '').slice(-10);
  return new RegExp(digits.split('').join('[^0-9a-z\\n]{0,3}'), 'i');
}
