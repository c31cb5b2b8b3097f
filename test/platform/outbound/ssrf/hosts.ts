/** Spellings in a URL of this machine, and of hosts that only this machine can reach. */
import { networkInterfaces } from 'node:os';
import { isPublicAddress } from '../../../../src/platform/outbound/publicAddress.js';

const IPV4_LOOPBACK = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '127.0.0.01',
  '0177.0.0.1',
  '0177.1',
  '00000177.0.0.1',
  '017700000001',
  '0x7f.0.0.1',
  '0x7f.1',
  '0x000000007f.1',
  '0x7f000001',
  '0X7F000001',
  '0x7f.0x0.0x0.0x1',
  '0177.0x1',
  '127.0.0.0x1',
  '2130706433',
];

/** Linux routes all of 127.0.0.0/8 to itself. */
const IPV4_LOOPBACK_NET = ['127.8.8.8', '127.255.255.254', '0x7f080808', '2147483646'];

const IPV4_UNSPECIFIED = ['0', '0.', '00', '0x', '0x0', '0.0', '000.000.000.000', '0.0.0.0'];

const DISGUISED = [
  '１２７.0.0.1',
  '127。0。0。1',
  '127．0．0．1',
  '127｡0｡0｡1',
  '①②⑦.⓪.⓪.①',
  '𝟏𝟐𝟕.𝟎.𝟎.𝟏',
  '¹²⁷.⁰.⁰.¹',
  '₁₂₇.0.0.1',
  '127%2e0%2e0%2e1',
  '%31%32%37.0.0.1',
  '12\u00ad7.0.0.1',
  '127.0.0\u200b.1',
  '%EF%BC%91%32%37.1',
];

const IPV6_LOOPBACK = [
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::0001]',
  '[::0.0.0.1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::FFFF:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:7f00:0001]',
  '[::ffff:127.8.8.8]',
  '[::ffff:0.0.0.0]',
];

const machine = Object.values(networkInterfaces()).flatMap((of) => of ?? []);
export const hasIpv6 = machine.some(({ address }) => address === '::1');
const inUrl = ({ address, family }: { address: string; family: string }): string =>
  family === 'IPv6' ? `[${address}]` : address;

/** The machine's own addresses in its private networks; a link-local one cannot be spelled in a URL. */
const OWN = machine
  .filter(({ address, internal }) => !internal && !isPublicAddress(address))
  .filter(({ address }) => !address.startsWith('fe80:'))
  .map(inUrl);

/** Every one of these reaches the listener, unless something stops it. */
export const REACHABLE = [
  ...IPV4_LOOPBACK,
  ...(process.platform === 'linux' ? IPV4_LOOPBACK_NET : []),
  ...IPV4_UNSPECIFIED,
  ...DISGUISED,
  ...(hasIpv6 ? IPV6_LOOPBACK : []),
  ...OWN,
];

/** Other private hosts, and this machine by a translation or tunnel that some networks have. */
export const ELSEWHERE = [
  '10.0.0.1',
  '10.255.255.255',
  '0x0a000001',
  '012.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '3232235521',
  '100.64.0.1',
  '100.100.100.200',
  '100.127.255.255',
  '169.254.169.254',
  '169.254.43518',
  '0xa9fea9fe',
  '2852039166',
  '0251.0376.0251.0376',
  '１６９.２５４.１６９.２５４',
  '168.63.129.16',
  '0.1.2.3',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '4294967295',
  '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[::ffff:168.63.129.16]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::1]',
  '[2001:0:7f00:1::]',
  '[2001::80ff:fffe]',
  '[::5efe:7f00:1]',
  '[fe80::5efe:127.0.0.1]',
  '[fe80::200:5efe:7f00:1]',
  '[fe80::1]',
  '[febf::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[ff05::1:3]',
  '[100::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[5f00::1]',
  '[4000::1]',
];

/** Not addresses to any URL parser that follows the standard. */
export const MALFORMED = [
  '4294967296',
  '127.0.0.256',
  '127..0.0.1',
  '1.127.0.0.1',
  '0x7g.1',
  '[::1%25lo]',
  '[::1%lo]',
  '[fe80::1%25eth0]',
  '[::ffff:127.1]',
  '[::ffff:0x7f.0.0.1]',
  '[127.0.0.1]',
  '[::1',
  '::1',
  '127.0.0.1%00',
  '127.0.0.1%09',
  '127.0.0.1 ',
];
