/** How Temporal is reached, by Temporal's own settings (`TEMPORAL_TLS…`, `TEMPORAL_API_KEY`, …) and its own reader. */
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { readSecretFiles } from '../security/secretFiles.js';

type Variables = Readonly<Record<string, string | undefined>>;

const API_KEY_FILE: ReadonlyMap<string, string> = new Map([
  ['TEMPORAL_API_KEY', 'TEMPORAL_API_KEY_FILE'],
]);

/**
 * TLS, API key and the rest of a connection, for the client of the SDK and for its workers.
 * @throws {Error} when a file that a setting names cannot be read
 */
export function readTemporalConnection(environment: Variables) {
  const { values, faults } = readSecretFiles(environment, API_KEY_FILE);
  if (faults[0] !== undefined) throw new Error(faults[0]);
  // An empty value counts as absent, which Temporal's own reader does not do: it opens a file without a name.
  const given = Object.entries({ ...environment, ...values }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  );
  return loadClientConnectConfig({ overrideEnvVars: Object.fromEntries(given) }).connectionOptions;
}

/** Whether TLS is on; or a sentence that names what cannot be read. */
export function readTemporalTls(environment: Variables): boolean | string {
  try {
    return Boolean(readTemporalConnection(environment).tls);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (message.startsWith('TEMPORAL_API_KEY_FILE: ')) return message;
    // The reader of a configuration file quotes the line that it cannot parse, and that may hold a key.
    return `TEMPORAL_TLS: Temporal's own settings cannot be read (${code ?? 'not valid'}): see TEMPORAL_CONFIG_FILE and the files that TEMPORAL_TLS_…_PATH name`;
  }
}
