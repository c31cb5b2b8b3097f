/** A mail as the bytes that are sent. */
import MailComposer from 'nodemailer/lib/mail-composer';
import type { MailContent } from './content.js';

/** @param from an address, with or without a name; its domain ends the Message-ID */
export function composeMail(content: MailContent, from: string): Promise<Buffer> {
  const { to, cc, subject, text, html, json, messageName, headers } = content;
  const node = new MailComposer({
    from,
    to,
    cc,
    subject,
    text,
    html,
    attachments:
      json === undefined
        ? []
        : [{ filename: 'lead.json', content: json, contentType: 'application/json' }],
    messageId: `<${messageName}@${domainOf(from)}>`,
    headers,
    newline: 'win',
    // Content comes as text only: nothing of a lead names a file or an address to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  return node.build();
}

const domainOf = (from: string): string => /@([^@>\s]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';

/** The address alone, for the envelope. */
export const addressOf = (from: string): string => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();
