/** The service account that writes into Google Sheets. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const schema = z.object({
  client_email: z.string().min(3),
  private_key: z.string().includes('PRIVATE KEY'),
  private_key_id: z.string().optional(),
  token_uri: z.url().default('https://oauth2.googleapis.com/token'),
});

export type ServiceAccount = z.infer<typeof schema>;

/**
 * The key as Google hands it out, from a file or as text.
 * @returns null when neither is given
 * @throws {Error} naming the setting that cannot be read, and never what is in it
 */
export function readServiceAccount(file?: string, text?: string): ServiceAccount | null {
  if (file !== undefined) {
    return parse('GOOGLE_SERVICE_ACCOUNT_FILE', readFileSync(file, 'utf8'));
  }
  return text === undefined ? null : parse('GOOGLE_SERVICE_ACCOUNT_JSON', text);
}

function parse(setting: string, text: string): ServiceAccount {
  const read = schema.safeParse(jsonOrNull(text));
  if (read.success) return read.data;
  throw new Error(
    `${setting} must be the JSON key of a service account, with client_email and private_key.`,
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
