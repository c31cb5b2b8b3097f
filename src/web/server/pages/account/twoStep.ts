/** Pages of turning the second step on: the secret as a picture and as text, and the backup codes, shown once. */
import { renderSVG } from 'uqr';
import type { Faults } from '../faults.js';
import { form } from '../render/field.js';
import type { PageContent } from '../render/page.js';
import { personFields } from '../render/personFields.js';
import { template, type Markup } from '../../../render/template.js';

export const TOTP_FIELDS = ['code'] as const;

export interface TotpSetup {
  secret: string;
  /** `otpauth://…`, the content of the picture. */
  uri: string;
}

const setup = template<{ picture: string; secret: string; form: Markup }>(`<div class="card">
<p>Scan the picture with an authenticator app on your phone, or enter the key in the app.</p>
<img class="qr" src="<%= it.picture %>" alt="QR code of the key below" width="220" height="220">
<p>Key: <code><%= it.secret %></code></p>
<%= it.form %></div>
<p><a href="/account">Cancel</a></p>
`);

/** Nothing has changed yet: the second step is on once the person enters a correct code. */
export function totpPage(
  personId: string,
  { secret, uri }: TotpSetup,
  faults?: Faults,
): PageContent {
  return {
    title: 'Turn on two-step sign-in',
    faults,
    content: setup({
      picture: `data:image/svg+xml;base64,${Buffer.from(renderSVG(uri)).toString('base64')}`,
      secret: (secret.match(/.{1,4}/g) ?? []).join(' '),
      form: form({
        action: '/account/totp/confirm',
        hidden: { person: personId, secret, uri },
        button: 'Turn on',
        fields: personFields(TOTP_FIELDS, {
          faults,
          opensHere: true,
          with: { code: { label: '6-digit code from the app', inputmode: 'numeric' } },
        }),
      }),
    }),
  };
}

const codeList = template<{ codes: readonly string[] }>(`<div class="card">
<p>Each of these codes signs you in once when you do not have your phone. Print them or save them in a password manager: they are not shown again.</p>
<ul class="codes">
<% for (const code of it.codes) { %>
<li><%= code %></li>
<% } %>
</ul>
<p><a class="button" href="/account">I have saved them</a></p></div>
`);

/** Backup codes, which no page shows again. */
export const backupCodesPage = (codes: readonly string[], notice: string): PageContent => ({
  title: 'Your backup codes',
  notice,
  content: codeList({ codes }),
});
