/** Links to the pages where people sign in, for printing. */
import type { Config } from '../../src/app/config.js';
import type { Collections } from '../../src/app/database.js';
import { createSetupUrl } from '../../src/api/operator/signInLinks.js';
import type { Paint } from '../output/paint.js';
import type { Running } from './boot.js';

/** Maximum organizations for which a start prints a link. */
const PRINTED_MAX = 3;

/** Public address of the pages of an installation with these settings. */
export function siteOf({
  baseUrl,
  host,
  port,
  tls,
}: Pick<Config, 'baseUrl' | 'host' | 'port' | 'tls'>): string {
  if (baseUrl !== undefined) return baseUrl;
  const isAny = host === '0.0.0.0' || host === '::';
  const name = isAny ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `${tls ? 'https' : 'http'}://${name}:${port}`;
}

/** The text of a link that creates the first admin. */
export const adminLinkText = (organization: string, url: string): string =>
  `The first admin of ${organization} signs in by this link, once, within 24 hours:\n${url}`;

/** Links for organizations without a sign-in yet; empty when there are none. */
export async function adminLinks(
  { record, baseUrl }: Pick<Running, 'record' | 'baseUrl'>,
  paint: Paint,
): Promise<string> {
  const links: string[] = [];
  for (const { _id, name } of await withoutAdmin(record.collections)) {
    const url = await createSetupUrl(record, _id, baseUrl);
    if (url !== null) links.push(`  ${name}: ${url}`);
  }
  const title = paint.bold('First admin (valid once, within 24 hours):');
  return links.length === 0 ? '' : `${title}\n\n${links.join('\n')}\n`;
}

async function withoutAdmin(
  collections: Collections,
): Promise<readonly { _id: string; name: string }[]> {
  return collections.orgs
    .aggregate<{ _id: string; name: string }>([
      { $sort: { _id: 1 } },
      {
        $lookup: {
          from: 'memberships',
          localField: '_id',
          foreignField: 'org_id',
          pipeline: [
            { $match: { scope_key: 'organization', role: 'admin' } },
            { $limit: 1 },
            { $project: { _id: 1 } },
          ],
          as: 'admins',
        },
      },
      { $match: { admins: [] } },
      { $limit: PRINTED_MAX },
      { $project: { name: 1 } },
    ])
    .toArray();
}
