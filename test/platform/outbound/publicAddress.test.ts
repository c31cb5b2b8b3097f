import { describe, it, expect } from '@jest/globals';
import { checkOutboundUrl, isPublicAddress } from '../../../src/platform/outbound/publicAddress.js';

const guarded = { allowPrivate: false };

describe('isPublicAddress', () => {
  it.each(['8.8.8.8', '1.1.1.1', '2606:4700::1111', '::ffff:8.8.8.8'])('accepts %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    '127.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::7f00:1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001::1',
    '4000::1',
    'fc00::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '168.63.129.16',
    '::ffff:168.63.129.16',
    'fe80::1%br-lan',
    '2606:4700::1111%eth0.1',
    'not an address',
  ])('refuses %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('checkOutboundUrl', () => {
  it.each(['https://example.com/leads?x=1', 'http://8.8.8.8:8080/', 'https://[2606:4700::1111]/'])(
    'accepts %s',
    (url) => {
      expect(checkOutboundUrl(url, guarded)).toBeNull();
    },
  );

  it.each([
    ['leads', 'must be an absolute URL, such as https://example.com/leads'],
    ['', 'must be an absolute URL, such as https://example.com/leads'],
    ['ftp://example.com/', 'must begin with https:// or http://'],
    ['javascript:alert(1)', 'must begin with https:// or http://'],
    [
      'https://me:secret@example.com/',
      'must not carry a user name or password; use a header instead',
    ],
    ['http://127.0.0.1/', 'must not point to 127.0.0.1, which is not a public address'],
    ['http://[::1]:80/', 'must not point to ::1, which is not a public address'],
  ])('refuses %j', (url, reason) => {
    expect(checkOutboundUrl(url, guarded)).toBe(reason);
  });

  it('accepts private addresses where they are allowed', () => {
    expect(checkOutboundUrl('http://127.0.0.1:9000/buyer', { allowPrivate: true })).toBeNull();
  });
});
