/** `leadwire open` beside a running demo: the console opens signed in, so nobody needs a key or an account to look at it. */
import { demoConsoleUrl } from '../../src/demo/console.js';
import { readDemoFile, type DemoFile } from '../../src/demo/file.js';
import { findRunning } from '../../src/embedded/running.js';
import type { Found } from '../client/connection.js';
import { asOperator, configFrom } from '../stack/installation.js';
import type { Environment } from '../output/paint.js';

/**
 * @param found what the caller would talk to
 * @param page of the console, such as `members`; null: the first one
 * @returns null: no demo runs here, or another account is meant
 */
export async function demoLink(
  environment: Environment,
  found: Found,
  page: string | null,
): Promise<string | null> {
  const { home } = configFrom(environment);
  const demo = findRunning(home) && (await readDemoFile(home));
  if (!demo || !isMeant(found, demo)) return null;
  const url = await asOperator(environment, undefined, (context) =>
    demoConsoleUrl(context, demo.base_url),
  );
  if (url === null) return null;
  return page === null ? url : `${url}?${new URLSearchParams({ page }).toString()}`;
}

/** A key of the demo, or nothing at all: neither a key nor an address was given. */
const isMeant = ({ key, url, urlSource }: Found, demo: DemoFile): boolean =>
  key === null
    ? urlSource === 'nothing' || url === demo.base_url
    : [demo.org_api_key, demo.read_only_api_key].includes(key);
