/** Why a TLS connection to a server was refused for weakness, and what to change at the server. */

/**
 * What is too weak or too old at a server. The words are labels of a metric and stored with the buyer: never rename
 * one.
 */
export const TLS_TROUBLES = [
  'weak_key',
  'weak_signature',
  'weak_key_exchange',
  'old_protocol',
  'old_renegotiation',
] as const;

export type TlsTrouble = (typeof TLS_TROUBLES)[number];

/**
 * The marks of each in a code or a message: certificates are judged by OpenSSL's verifier, whose newer verdicts Node reports
 * with the code UNSPECIFIED and their text alone; a handshake has codes such as ERR_SSL_DH_KEY_TOO_SMALL.
 */
const MARKS: Record<TlsTrouble, readonly RegExp[]> = {
  weak_key_exchange: [/DH_KEY_TOO_SMALL$/],
  weak_key: [/(EE|CA)_KEY_TOO_SMALL$/, /(EE|CA) certificate key too weak/],
  weak_signature: [/CA_MD_TOO_WEAK$/, /CA signature digest algorithm too weak/],
  old_protocol: [/TLSV1_ALERT_PROTOCOL_VERSION$/, /SSL_UNSUPPORTED_PROTOCOL$/, /VERSION_TOO_LOW$/],
  old_renegotiation: [/UNSAFE_LEGACY_RENEGOTIATION_DISABLED$/],
};

/** The fact, and what the server's operator has to do. */
const TEXTS: Record<TlsTrouble, string> = {
  weak_key:
    "the key of the server's certificate, or of one above it, is too short: it must be renewed with a key of 2,048 " +
    'bits or more',
  weak_signature:
    "the server's certificate is signed with SHA-1 or MD5: it must be renewed with a signature by SHA-256",
  weak_key_exchange:
    "the server's Diffie-Hellman key is too short: it must use ECDHE, or parameters of 2,048 bits or more",
  old_protocol:
    'the server supports no TLS version newer than 1.1: it must be configured for TLS 1.2 or 1.3',
  old_renegotiation:
    'the server does not support secure renegotiation (RFC 5746): its TLS software must be updated',
};

/** What is too weak at the server, by the error of a failed handshake; null for other errors. */
export function tlsTroubleOf(code: string | undefined, message: string): TlsTrouble | null {
  const texts = [code ?? '', message];
  const is = (trouble: TlsTrouble) =>
    MARKS[trouble].some((mark) => texts.some((text) => mark.test(text)));
  return TLS_TROUBLES.find(is) ?? null;
}

/** One line about it: the fact, then what to do. */
export const tlsTroubleText = (trouble: TlsTrouble): string => TEXTS[trouble];
