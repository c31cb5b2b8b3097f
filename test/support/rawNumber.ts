/** A number of JSON with all of its digits, for `JSON.stringify`; the compiler's library does not know it yet. */
export const rawNumber = (digits: string): unknown =>
  (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(digits);
