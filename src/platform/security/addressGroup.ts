/** The address of a client, as limits and the security log use it. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** For text that is no address, such as that of a connection that is gone. */
const UNKNOWN = 'unknown';
/** The 16-bit parts of an IPv6 address that its network assigns; the machine chooses the others. */
const NETWORK_PARTS = 4;
/** Those that a provider assigns to one site, which makes networks of its own from the rest. */
const SITE_PARTS = 3;

/** As some proxies write it into X-Forwarded-For: `203.0.113.7:5000`, `[2001:db8::1]:5000`. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/;

/** An IPv4 address as it is, also inside an IPv6 one; of an IPv6 address the network that one customer gets, a /64. */
export function addressGroup(address: string): string {
  const parsed = parse(address);
  if (parsed === null) return UNKNOWN;
  return parsed instanceof ipaddr.IPv4 ? parsed.toString() : prefixOf(parsed, NETWORK_PARTS);
}

/** Of an IPv6 address the network that one site gets, a /48, in which it has 65,536 groups; null for any other address. */
export function networkGroup(address: string): string | null {
  const parsed = parse(address);
  return parsed instanceof ipaddr.IPv6 ? prefixOf(parsed, SITE_PARTS) : null;
}

function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const [, bracketed, plain] = WITH_PORT.exec(address) ?? [];
  const [bare = ''] = (bracketed ?? plain ?? address).split('%', 1);
  return isIP(bare) === 0 ? null : ipaddr.process(bare);
}

function prefixOf({ parts }: ipaddr.IPv6, count: number): string {
  const prefix = parts.map((part, n) => (n < count ? part : 0));
  return `${new ipaddr.IPv6(prefix).toString()}/${count * 16}`;
}
