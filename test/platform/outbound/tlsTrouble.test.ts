import { describe, expect, it } from '@jest/globals';
import {
  TLS_TROUBLES,
  tlsTroubleOf,
  tlsTroubleText,
} from '../../../src/platform/outbound/tlsTrouble.js';

const openssl = (text: string) =>
  `405D8B9F1C7F0000:error:0A00018A:SSL routines:tls_process:${text}:../deps/openssl/ssl/statem.c:2354:\n`;

describe('an error of TLS', () => {
  it.each<[string | undefined, string, string | null]>([
    ['UNSPECIFIED', 'EE certificate key too weak', 'weak_key'],
    ['UNSPECIFIED', 'CA certificate key too weak', 'weak_key'],
    ['EE_KEY_TOO_SMALL', '', 'weak_key'],
    ['ERR_SSL_EE_KEY_TOO_SMALL', openssl('ee key too small'), 'weak_key'],
    ['UNSPECIFIED', 'CA signature digest algorithm too weak', 'weak_signature'],
    ['CA_MD_TOO_WEAK', '', 'weak_signature'],
    ['ERR_SSL_DH_KEY_TOO_SMALL', openssl('dh key too small'), 'weak_key_exchange'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', openssl('tlsv1 alert'), 'old_protocol'],
    ['ERR_SSL_UNSUPPORTED_PROTOCOL', openssl('unsupported protocol'), 'old_protocol'],
    ['ERR_SSL_UNSAFE_LEGACY_RENEGOTIATION_DISABLED', openssl('unsafe'), 'old_renegotiation'],
    ['CERT_HAS_EXPIRED', 'certificate has expired', null],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', null],
    ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1', null],
    [undefined, 'no connection was free in time to send it', null],
  ])('with the code %s and the message %j is %s', (code, message, trouble) => {
    expect(tlsTroubleOf(code, message)).toBe(trouble);
  });

  it('is one line that fits into a stored reason, and says what to do', () => {
    for (const trouble of TLS_TROUBLES) expect(tlsTroubleText(trouble)).toMatch(/^.{20,200}$/);
    for (const trouble of TLS_TROUBLES) expect(tlsTroubleText(trouble)).toMatch(/: .* must /);
  });
});
