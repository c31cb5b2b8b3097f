/** Servers whose TLS is too weak or too old, through the outbound client. */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { afterEach, describe, expect, it } from '@jest/globals';
import { withoutAnswer } from '../../../src/deliveries/rules/delivery.js';
import type { NoReply } from '../../../src/platform/outbound/reply.js';
import { tlsTroubleText, type TlsTrouble } from '../../../src/platform/outbound/tlsTrouble.js';
import { makeCertificate } from '../../support/certificates.js';
import { post, useDoor } from './doorFixture.js';

describe('a request to a server whose TLS is too weak', () => {
  const closing: (() => void)[] = [];
  // Before the client is closed, which waits for its open requests.
  afterEach(() => closing.splice(0).forEach((close) => close()));
  const { door } = useDoor();

  /** The server itself accepts anything: refusals come from the client. */
  const serve = async (options: TlsOptions): Promise<{ url: string; requests: string[] }> => {
    const requests: string[] = [];
    const server = createServer(
      { ciphers: 'DEFAULT:@SECLEVEL=0', ...options },
      (request, reply) => {
        requests.push(request.url ?? '');
        reply.end();
      },
    );
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    return { url: `https://localhost:${(server.address() as AddressInfo).port}/`, requests };
  };

  it.each<[string, TlsTrouble, () => TlsOptions]>([
    ['a certificate with a key of 1,024 bits', 'weak_key', () => makeCertificate({ bits: 1024 })],
    [
      'a certificate by an authority with such a key',
      'weak_key',
      () => makeCertificate({ authorityBits: 1024 }),
    ],
    [
      'nothing newer than TLS 1.1',
      'old_protocol',
      () => ({ ...makeCertificate({}), minVersion: 'TLSv1', maxVersion: 'TLSv1.1' }),
    ],
  ])('is not sent to one with %s, and says what to do', async (_, trouble, options) => {
    const told: TlsTrouble[] = [];
    const { url, requests } = await serve(options());
    const reply = await door({ onTlsTrouble: (one) => told.push(one) }).send(post(url));
    expect(reply).toEqual({ kind: 'not_sent', reason: tlsTroubleText(trouble), tls: trouble });
    expect(told).toEqual([trouble]);
    expect(requests).toEqual([]);
    expect(withoutAnswer(reply as NoReply)).toEqual({
      result: 'not_taken',
      reason: tlsTroubleText(trouble),
      tls: trouble,
    });
  });

  it('differs from an untrusted certificate', async () => {
    const { url } = await serve(makeCertificate({}));
    const reply = await door().send(post(url));
    expect(reply).toMatchObject({
      kind: 'not_sent',
      reason: expect.stringMatching(/SELF_SIGNED/) as unknown as string,
    });
    expect(reply).not.toHaveProperty('tls');
  });
});
