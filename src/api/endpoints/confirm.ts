/** The page by which a recipient of mails confirms that it wants them. */
import { z } from 'zod';
import { escapeHtml } from '../../account/rules/template.js';
import type { Call, Endpoint, Reply } from '../http/endpoint.js';

/** No script, no style, nothing from any host, no frame; its form goes to this host. */
const SECURITY_POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

const page = {
  path: '/mail/confirm',
  tag: 'api',
  auth: 'public',
  produces: 'text/html',
  outputs: { 200: z.string(), 400: z.string() },
  errors: [],
} as const;

/** Shows what would be confirmed, and changes nothing: programs that scan mails open links. */
export const confirmPage: Endpoint = {
  ...page,
  id: 'confirmPage',
  method: 'get',
  summary: 'Ask a mail recipient to confirm',
  description: 'The page that a confirmation mail links to. Opening it confirms nothing.',
  async handle(call, { confirmations }) {
    const token = call.query().get('token') ?? '';
    const recipient = await confirmations.read(token);
    if (!recipient) return NOT_VALID;
    const text = `${recipient.organization} wants to send mails about its leads to ${recipient.address}.`;
    return show(
      200,
      `<p>${escapeHtml(text)}</p>\n<form method="post" action="confirm"><input type="hidden" name="token" ` +
        `value="${escapeHtml(token)}"><button type="submit">Yes, send them</button></form>\n<p>If you do not want ` +
        'them, close this page. You will get no mails.</p>',
    );
  },
};

export const confirmRecipient: Endpoint = {
  ...page,
  id: 'confirmRecipient',
  method: 'post',
  summary: 'Confirm a mail recipient',
  description: "The request that the page's button sends.",
  input: z.looseObject({ token: z.string() }),
  async handle(call, { confirmations }) {
    const recipient = await confirmations.confirm(tokenOf(call));
    if (!recipient) return NOT_VALID;
    const text = `Thank you: ${recipient.address} gets mails from ${recipient.organization} from now on.`;
    return show(200, `<p>${escapeHtml(text)}</p>`);
  },
};

const tokenOf = ({ body: { token } }: Call): string => (typeof token === 'string' ? token : '');

const show = (status: number, content: string): Reply => ({
  status,
  headers: HEADERS,
  body:
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width"><title>Mails</title></head>\n' +
    `<body><main>${content}</main></body></html>\n`,
});

const NOT_VALID = show(
  400,
  '<p>This link is not valid, or has expired: links are valid for 7 days. Ask the sender of the mails for a new ' +
    'one.</p>',
);
