/** The pages on the way to an identity provider and back. */
import { field, form } from '../render/field.js';
import { paragraph, type PageContent } from '../render/page.js';
import type { Filled } from '../render/personFields.js';
import { template } from '../../../render/template.js';

const back = template('<p><a class="button quiet" href="/sign-in">Back to sign-in</a></p>\n')({});

/** A page of another site may link here, but starts nothing. */
export const startPage = (view: {
  action: string;
  next: string | null;
  /** The person signs in there once more. */
  confirms: boolean;
}): PageContent => ({
  title: 'Sign in with your organization',
  content: [
    paragraph({ text: "You sign in on your organization's page, then return here." }),
    form({
      action: view.action,
      hidden: { next: view.next ?? undefined, confirms: view.confirms ? '1' : undefined },
      button: 'Continue',
    }),
  ],
});

export const ORGANIZATION_FIELDS = ['organization'] as const;

/** Asks for the organization that signs in: an email address does not identify it, and is not requested. */
export const organizationPage = ({
  next,
  values,
  faults,
}: Filled & { next: string | null }): PageContent => ({
  title: 'Sign in with your organization',
  faults,
  content: [
    form({
      action: '/sign-in/organization',
      hidden: { next: next ?? undefined },
      button: 'Continue',
      fields: [
        field({
          name: 'organization',
          label: "Your organization's sign-in address",
          hint: 'Your admin has it; it ends in /start. The ID of the organization also works.',
          value: values?.organization,
          fault: faults?.fields.organization,
          autocomplete: 'organization',
          maxlength: 500,
          hasFocus: faults?.alert === undefined,
        }),
      ],
    }),
    paragraph({
      text: 'Keep that address as a bookmark: it leads to the sign-in of your organization at once.',
      isQuiet: true,
    }),
    back,
  ],
});

const leaving = template<{ url: string }>(
  '<p>If you are not redirected, <a href="<%= it.url %>">continue to the sign-in page</a>.</p>\n',
);

/** Redirects at once. */
export const leavingPage = (url: string): PageContent => ({
  title: "Redirecting to your organization's sign-in",
  leadsTo: url,
  content: leaving({ url }),
});

/** The provider refused, or its answer belongs to no sign-in of this browser. */
export const refusedPage = (text: string): PageContent => ({
  title: 'Sign-in failed',
  content: [paragraph({ text }), back],
});
