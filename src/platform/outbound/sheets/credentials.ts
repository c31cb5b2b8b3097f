/** The service account that writes into Google Sheets. */
import { z } from 'zod';

const schema = z.object({
  client_email: z.string().min(3),
  private_key: z.string().includes('PRIVATE KEY'),
  private_key_id: z.string().optional(),
  token_uri: z.url().default('https://oauth2.googleapis.com/token'),
});

export type ServiceAccount = z.infer<typeof schema>;

/**
 * The key as Google issues it.
 * @returns null when none is given
 * @throws {Error} naming the setting whose value is something else, and never the value
 */
export function readServiceAccount(text?: string): ServiceAccount | null {
  if (text === undefined) return null;
  const read = schema.safeParse(jsonOrNull(text));
  if (read.success) return read.data;
  throw new Error(
    'GOOGLE_SERVICE_ACCOUNT_JSON, or the file that GOOGLE_SERVICE_ACCOUNT_FILE names, must be the JSON key of a ' +
      'service account, with client_email and private_key.',
  );
}

/** The error of the parser would show a part of the key. */
function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
