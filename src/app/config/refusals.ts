/** Settings that are right or wrong only together, and how wrong ones are refused. */
import type { TlsFiles } from '../../api/http/certificate.js';
import { readSmtpUrl, type SmtpServer } from '../../platform/outbound/mail/server.js';

export const refusal = (faults: readonly string[]): Error =>
  new Error(`These settings are not valid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);

export function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw refusal(faults);
}

/** The certificate of the API; null without one. */
export function tlsOf(cert: string | undefined, key: string | undefined): TlsFiles | null {
  if (cert !== undefined && key !== undefined) return { cert, key };
  if (cert !== undefined) throw refusal(['TLS_KEY: required with TLS_CERT']);
  if (key !== undefined) throw refusal(['TLS_CERT: required with TLS_KEY']);
  return null;
}

/** The mail server and the sender's address; null without a mail server. */
export function smtpOf(
  url: string | undefined,
  from: string | undefined,
  requireTls: boolean | undefined,
): { server: SmtpServer; from: string } | null {
  if (url === undefined) return null;
  const server = readSmtpUrl(url, requireTls);
  const problem = typeof server === 'string' ? `SMTP_URL: ${server}` : 'SMTP_FROM: required';
  if (typeof server === 'string' || from === undefined) {
    throw refusal([problem]);
  }
  return { server, from };
}
