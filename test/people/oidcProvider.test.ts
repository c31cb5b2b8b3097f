/** What an identity provider is sent, and how its answers are read. */
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { createProviders } from '../../src/people/oidc/provider.js';
import type { OutboundRequest } from '../../src/platform/outbound/http.js';
import type { HttpAnswer } from '../../src/platform/outbound/reply.js';
import type { PeopleDeps } from '../../src/people/deps.js';
import type { OidcSettingsDoc } from '../../src/people/store/oidcDocs.js';

const issuer = 'https://id.example.com';

function providerThatAnswers(answer: Pick<HttpAnswer, 'body' | 'undecoded'>) {
  const sent: OutboundRequest[] = [];
  const send = (request: OutboundRequest): Promise<HttpAnswer> => {
    sent.push(request);
    const headers = { 'content-type': 'application/json' };
    return Promise.resolve({ kind: 'answered', status: 200, headers, ...answer });
  };
  const deps = { outbound: { send }, allowPrivate: false, clock: { monotonic: () => 0 } };
  const providers = createProviders(deps as unknown as PeopleDeps);
  const settings = { _id: 'org', issuer, client_id: 'x', updated_at: new Date(0) };
  return { sent, open: () => providers.open(settings as unknown as OidcSettingsDoc) };
}

describe('a request to an identity provider', () => {
  it('does not name the library that makes it, so that the outbound door names this service', async () => {
    const { sent, open } = providerThatAnswers({ body: JSON.stringify({ issuer }) });
    expect((await open()).serverMetadata().issuer).toBe(issuer);
    expect(sent.map(({ method, headers }) => ({ method, headers }))).toEqual([
      { method: 'GET', headers: { accept: 'application/json' } },
    ]);
  });

  it('whose answer cannot be unpacked is no sign-in', async () => {
    const undecoded = 'its body is not valid or not complete gzip';
    const { open } = providerThatAnswers({ body: '', undecoded });
    const error: unknown = await open().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'unavailable' });
    expect(inspect(error)).toContain(`The provider answered, and ${undecoded}`);
  });
});
