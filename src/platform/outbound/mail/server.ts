import { isLoopback } from '../../../lib/loopback.js';

/** The mail server that the settings name. */
export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte (`smtps://`). */
  secure: boolean;
  /** No mail without TLS, and its certificate is checked. */
  requireTls: boolean;
  user?: string;
  pass?: string;
}

/**
 * @param url `smtp://user:password@host:587` or `smtps://…`
 * @param requireTls absent: everywhere but on this machine
 * @returns the server, or the rule that the address breaks
 */
export function readSmtpUrl(url: string, requireTls?: boolean): SmtpServer | string {
  const parsed = URL.parse(url);
  const isSmtp = parsed?.protocol === 'smtp:' || parsed?.protocol === 'smtps:';
  if (!parsed || !isSmtp || parsed.hostname === '') {
    return 'must be an address such as smtp://user:password@mail.example.com:587';
  }
  const host = parsed.hostname.replace(/^\[|\]$/g, '');
  const secure = parsed.protocol === 'smtps:';
  return {
    host,
    port: Number(parsed.port) || (secure ? 465 : 587),
    secure,
    requireTls: !secure && (requireTls ?? !isLoopback(host)),
    ...(parsed.username === ''
      ? {}
      : { user: decoded(parsed.username), pass: decoded(parsed.password) }),
  };
}

/** A password may hold a bare percent sign. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
