/** The endpoint table and the registry of actions as one OpenAPI 3.1 document. */
import { LEAD_RATE } from '../../account/rateLimit.js';
import { DEFAULT_KEY_LIMITS } from '../../account/store/keyDocs.js';
import type { Action } from '../actions/action.js';
import type { JsonObject } from '../../lib/jsonSchema.js';
import { actionOperation, actionPath } from './actionOperations.js';
import { HEADERS } from './headers.js';
import { hoisted } from './hoist.js';
import { operationOf, pathOf, type Described } from './operations.js';
import { portable } from './portable.js';
import { namedSchemas } from './schemas.js';
import { withSharedAnswers } from './sharedAnswers.js';
import { SECURITY_SCHEMES, securityOf } from './security.js';
import { tagsOf } from './tags.js';

/** The API's address from outside; absent: the address that the document was fetched from. */
export interface Addresses {
  baseUrl?: string;
  /** When ingest has a host of its own. */
  ingestUrl?: string;
}

export interface ApiParts {
  endpoints: readonly Described[];
  actions: readonly Action[];
  addresses: Addresses;
  /** Of this program. */
  version: string;
}

/** Runs every action; each also has an operation of its own. */
const RUNNER = 'runAction';

/**
 * The whole document. Each action is an operation in addition to the endpoint that runs it, and only schemas that are used become
 * components.
 */
export function describeApi({ endpoints, actions, addresses, version }: ApiParts): JsonObject {
  const named = namedSchemas();
  const paths = new Map<string, JsonObject>();
  const tags = new Set<string>();
  const add = (path: string, method: string, tag: string, operation: JsonObject): void => {
    tags.add(tag);
    paths.set(path, { ...paths.get(path), [method]: operation });
  };
  for (const endpoint of endpoints) {
    const { method, tag } = endpoint;
    add(pathOf(endpoint), method, tag, operationOf(endpoint, named));
    if (endpoint.id !== RUNNER) continue;
    for (const action of actions)
      add(
        actionPath(action, endpoint),
        method,
        action.cli[0],
        actionOperation(action, endpoint, named),
      );
  }
  const document = portable({
    openapi: '3.1.0',
    info: infoOf(version, addresses),
    servers: serversOf(addresses),
    tags: tagsOf(tags),
    security: securityOf('organisation'),
    paths: Object.fromEntries(paths),
    components: {
      schemas: named.used(),
      responses: named.responses(),
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  });
  return withSharedAnswers(hoisted(document));
}

const { calls_per_minute: calls, writes_per_minute: writes } = DEFAULT_KEY_LIMITS;
const DESCRIPTION = `Leads come in by **ingest**, are checked, filtered and deduplicated, and go to a buyer. The
account (campaigns, buyers, suppliers, the terms between them, keys, lists) is managed by **actions**: each is a POST
with a JSON object in, and \`{ "success": true, "data": … }\` out.

Instants are ISO 8601 in UTC, money is a number in the account's currency, ids are UUIDs. Keys of an action's input may
also be in camelCase, and enum words in any case; null means that no value is given unless the key says otherwise. Every
refusal has a stable code (\`error\`), a message for people, and the \`request_id\` that is also in the log: your own,
when you send X-Request-Id with up to 100 visible ASCII characters.

A key of the organization has ${calls} calls a minute by default, of which ${writes} may change something; an operator can set other
limits. A supplier has ${LEAD_RATE.defaults.per_second} leads a second by default. The RateLimit headers show what is left; a 429 says how long to
wait.`;

const infoOf = (version: string, { baseUrl }: Addresses): JsonObject => ({
  title: 'Leadwire API',
  summary: 'Lead distribution: accept leads, sell them, manage the account.',
  description: DESCRIPTION,
  version,
  contact: { name: 'The operator of this installation', url: baseUrl },
  license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
});

function serversOf({ baseUrl, ingestUrl }: Addresses): JsonObject[] {
  const base = { url: trimmed(baseUrl ?? '/'), description: 'The API' };
  if (ingestUrl === undefined || ingestUrl === baseUrl) return [base];
  return [base, { url: trimmed(ingestUrl), description: 'Ingest and lookups' }];
}

const trimmed = (url: string): string => (url === '/' ? url : url.replace(/\/+$/, ''));
