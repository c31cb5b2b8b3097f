/** What is shown on the way to an identity provider and back. */
import type { Person } from '../../../../people/types.js';
import { form } from '../render/field.js';
import { paragraph, type PageContent } from '../render/page.js';
import { template } from '../../../render/template.js';

/** A page of another site may lead here, but starts nothing. */
export const startPage = (view: {
  action: string;
  next: string | null;
  person: Person | null;
}): PageContent => ({
  title: 'Sign in with your organization',
  person: view.person,
  content: [
    paragraph({ text: "You go to your organization's own sign-in page, and come back here." }),
    form({ action: view.action, hidden: { next: view.next ?? undefined }, button: 'Continue' }),
  ],
});

const leaving = template<{ url: string }>(
  '<p>If nothing happens, <a href="<%= it.url %>">continue to the sign-in page</a>.</p>\n',
);

/** Leads on at once. */
export const leavingPage = ({
  url,
  person,
}: {
  url: string;
  person: Person | null;
}): PageContent => ({
  title: "On the way to your organization's sign-in",
  person,
  leadsTo: url,
  content: leaving({ url }),
});

const back = template(
  '<p><a class="button quiet" href="/sign-in">Back to the sign-in page</a></p>\n',
)({});

/** The provider refused, or what came back belongs to no sign-in of this browser. */
export const refusedPage = (text: string, person: Person | null): PageContent => ({
  title: 'The sign-in did not work',
  person,
  content: [paragraph({ text }), back],
});
