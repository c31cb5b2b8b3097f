/** The credentials for each endpoint (contract 9.5). */
import type { Endpoint } from '../http/endpoint.js';
import type { JsonObject } from '../../lib/jsonSchema.js';

export const SECURITY_SCHEMES = {
  organisation_key: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A key of the organization, as `Authorization: Bearer lw_live_…`. It has permissions: an area, and read or ' +
      'write; write implies read. Created with create_api_key.',
  },
  supplier_key: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: "A supplier's key, shown when the supplier was created.",
  },
  buyer_secret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Buyer-Secret',
    description: "A buyer's webhook secret, shown when the buyer was created.",
  },
} as const;

const SCHEME_OF = {
  public: [],
  // Not described: they are for browsers, on pages of this site.
  session: [],
  page: [],
  organisation: [{ organisation_key: [] }],
  supplier: [{ supplier_key: [] }],
  buyer: [{ buyer_secret: [] }],
} as const satisfies Record<Endpoint['auth'], readonly JsonObject[]>;

export const securityOf = (who: Endpoint['auth']): readonly JsonObject[] => SCHEME_OF[who];
