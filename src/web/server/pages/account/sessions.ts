/** The list of sessions on the account page. */
import type { SessionInfo } from '../../../../people/types.js';
import { momentOf, type Moment } from '../moment.js';
import { form } from '../render/field.js';
import { template, type Markup } from '../../../render/template.js';
import { section } from './sections.js';

interface Row {
  device: string;
  address: string;
  way: string;
  seen: Moment;
  begun: Moment;
  isCurrent: boolean;
  end: Markup | undefined;
}

const list = template<{ rows: readonly Row[] }>(`<ul class="plain">
<% for (const row of it.rows) { %>
<li><p><strong><%= row.device %></strong><% if (row.isCurrent) { %> (this session)<% } %></p>
<dl><dt>Address</dt><dd><%= row.address %></dd>
<dt>Last seen</dt><dd><time datetime="<%= row.seen.iso %>"><%= row.seen.text %></time></dd>
<dt>Signed in</dt><dd><time datetime="<%= row.begun.iso %>"><%= row.begun.text %></time>, <%= row.way %></dd></dl>
<%= row.end %></li>
<% } %>
</ul>
`);

/** @param personId the owner of the sessions: a form from another person's page ends nothing */
export function sessionsSection(personId: string, sessions: readonly SessionInfo[]): Markup {
  const rows = sessions.map((session): Row => {
    return {
      device: session.device,
      address: session.address,
      way: session.via === 'oidc' ? "with your organization's sign-in" : 'with a password',
      seen: momentOf(session.seen_at),
      begun: momentOf(session.created_at),
      isCurrent: session.is_current,
      end: session.is_current ? undefined : endForm(personId, session),
    };
  });
  const others = form({
    action: '/account/sessions/end-others',
    hidden: { person: personId },
    button: 'End all other sessions',
    kind: 'danger',
  });
  return section({
    id: 'sessions',
    title: 'Where you are signed in',
    content: [list({ rows }), ...(rows.length > 1 ? [others] : [])],
  });
}

const endForm = (personId: string, session: SessionInfo): Markup =>
  form({
    action: '/account/sessions/end',
    hidden: { person: personId, session: session.id },
    button: 'End session',
    describes: `End session: ${session.device}, ${session.address}, signed in ${momentOf(session.created_at).text}`,
    kind: 'danger',
  });
