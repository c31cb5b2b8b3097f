import { expect, it } from '@jest/globals';
import { addressGroup, networkGroup } from '../../../src/platform/security/addressGroup.js';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::1', '::/64'],
  // With a port, as some proxies write it.
  ['203.0.113.7:5000', '203.0.113.7'],
  ['[2001:db8:1:2:3:4:5:6]:5000', '2001:db8:1:2::/64'],
  ['[::ffff:203.0.113.7]', '203.0.113.7'],
  ['[203.0.113.7', 'unknown'],
  ['203.0.113.7:x', 'unknown'],
  ['', 'unknown'],
  ['example.com', 'unknown'],
  ['1.2.3', 'unknown'],
  ["127.0.0.1\n{}' --", 'unknown'],
])('an address %j is counted as %j', (address, group) => {
  expect(addressGroup(address)).toBe(group);
});

it.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['[2001:db8:1:ffff::1]:5000', '2001:db8:1::/48'],
  ['203.0.113.7', null],
  ['::ffff:203.0.113.7', null],
  ['example.com', null],
])('an address %j belongs to the network %j', (address, network) => {
  expect(networkGroup(address)).toBe(network);
});
