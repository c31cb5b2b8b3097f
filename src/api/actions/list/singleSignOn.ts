/** Single sign-on for the people of the organization, by OpenID Connect. */
import { z } from 'zod';
import { defineAction, type ActionContext } from '../action.js';
import { ACCESS } from '../exits.js';
import { refuseConflict } from '../members.js';
import { orNull } from '../schemas/common.js';

const View = z.object({
  issuer: orNull(z.string()).describe('Where the provider is; null: none is set'),
  client_id: orNull(z.string()).describe('The id of Leadwire at the provider'),
  is_enabled: z.boolean().describe('Whether people can sign in with it'),
  sign_in_url: z.string().describe('The link that people sign in by'),
  redirect_url: z.string().describe('What to allow at the provider as the redirect URI'),
});

type Settings = Awaited<ReturnType<ActionContext['singleSignOn']['settings']>>;

function viewOf(settings: Settings, { caller, siteUrl }: ActionContext): z.input<typeof View> {
  const site = siteUrl().replace(/\/$/, '');
  return {
    ...settings,
    is_enabled: settings?.is_enabled ?? false,
    sign_in_url: `${site}/oidc/${encodeURIComponent(caller.org_id)}/start`,
    redirect_url: `${site}/oidc/callback`,
  };
}

export const getSingleSignOn = defineAction({
  name: 'get_single_sign_on',
  cli: ['single-sign-on', 'get'],
  summary: 'Show single sign-on',
  description:
    'The identity provider (OpenID Connect) that people of the organization can sign in with, the link for them, and ' +
    'the redirect URI to allow at the provider. The client secret is never shown.',
  permission: 'settings:read',
  input: z.strictObject({}),
  example: {},
  output: View,
  async run(_input, context) {
    return viewOf(await context.singleSignOn.settings(context.caller.org_id), context);
  },
});

export const configureSingleSignOn = defineAction({
  name: 'configure_single_sign_on',
  cli: ['single-sign-on', 'set'],
  summary: 'Set up single sign-on',
  description:
    'Sets the identity provider (OpenID Connect) that people of the organization can sign in with, in addition to or in the ' +
    'place of a password. A person who signs in there must be invited, and accepts the invitation with it, or ' +
    'connects it on the account page. The client secret is stored sealed; leave it out to keep the present one. Unless ' +
    'is_enabled is false, the metadata of the provider is read first, and a provider that cannot be used is refused.',
  idempotent: true,
  permission: 'settings:write',
  guards: 'key_changed',
  letsOut: [ACCESS],
  input: z.strictObject({
    issuer: z
      .string()
      .min(1)
      .max(500)
      .describe('Address of the provider, as its discovery document names it'),
    client_id: z.string().min(1).max(500).describe('The id of Leadwire at the provider'),
    client_secret: z
      .string()
      .min(1)
      .max(2000)
      .meta({ writeOnly: true })
      .optional()
      .describe('The secret of Leadwire at the provider; absent: unchanged'),
    is_enabled: z.boolean().default(true).describe('Whether people can sign in with it'),
  }),
  example: {
    issuer: 'https://login.example.com',
    client_id: 'leadwire',
    client_secret: 'a-secret-of-the-provider',
    is_enabled: true,
  },
  output: View,
  async run({ client_secret, ...input }, context) {
    const { singleSignOn, caller } = context;
    const settings = {
      ...input,
      ...(client_secret !== undefined && { client_secret }),
    };
    const change = singleSignOn.configure(caller.org_id, settings);
    return viewOf(await refuseConflict(change), context);
  },
});
