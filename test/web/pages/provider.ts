/** A real OpenID Connect provider on this machine; the test decides which person signs in. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { createVisitor, type PageView, type Visitor } from './visitor.js';

export const CLIENT = {
  client_id: 'leadwire',
  client_secret: 'a secret of the provider, for tests',
};

export interface TestProvider {
  issuer: string;
  /** Signs in there and consents, like a browser that was sent to `url`. Returns the address it is sent back to. */
  signIn(url: string, accountId: string): Promise<string>;
  /** Sets the next person, with a browser of their own. */
  comes(accountId: string): void;
  stop(): Promise<void>;
}

/** @param redirectUrl the callback to which the client may send people back */
export async function startProvider(redirectUrl: string): Promise<TestProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  /** The next person, by the path of the interaction, without cookies. */
  let accountId = '';
  const provider = new Provider(issuer, {
    clients: [
      { ...CLIENT, redirect_uris: [redirectUrl], token_endpoint_auth_method: 'client_secret_post' },
    ],
    cookies: { keys: ['keys of the provider'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/who/${uid}` },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ sub, email: `${sub}@provider.example`, email_verified: true, name: sub }),
    }),
    async loadExistingGrant(context) {
      const grant = new context.oidc.provider.Grant({
        clientId: CLIENT.client_id,
        accountId: context.oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const callback = provider.callback();
  server.on('request', (request, response) => {
    const isWho = request.url?.startsWith('/who/') === true;
    if (!isWho) void callback(request, response);
    else void provider.interactionFinished(request, response, { login: { accountId } });
  });
  return {
    issuer,
    async signIn(url, who) {
      accountId = who;
      const browser = createVisitor(issuer);
      let page = await browser.open(url);
      for (
        let count = 0;
        page.location !== '' && !page.location.startsWith(redirectUrl);
        count += 1
      ) {
        if (count > 10) throw new Error(`The provider goes round in circles: ${page.location}`);
        page = await browser.open(page.location);
      }
      if (page.location === '')
        throw new Error(`The provider refused: ${page.text.slice(0, 2_000)}`);
      return page.location;
    },
    comes(who) {
      accountId = who;
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** The target of a page that redirects at once. */
export const leadsTo = (page: PageView): string =>
  page.location ||
  (/<meta http-equiv="refresh" content="0;url=([^"]+)"/.exec(page.text)?.[1] ?? '').replace(
    /&#(\d+);/g,
    (_, code: string) => String.fromCharCode(Number(code)),
  );

/** From a page of the service that leads to the provider, through it, and back to the callback. */
export async function throughProvider(
  provider: TestProvider,
  visitor: Visitor,
  page: PageView,
  accountId: string,
): Promise<PageView> {
  const back = await provider.signIn(leadsTo(page), accountId);
  return visitor.open(back, { 'sec-fetch-site': 'cross-site' });
}
