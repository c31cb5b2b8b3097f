/** The address of a client, as limits and the security log use it. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** For text that is no address, such as that of a connection that is gone. */
const UNKNOWN = 'unknown';
/** The 16-bit parts of an IPv6 address that its network assigns; the machine chooses the others. */
const NETWORK_PARTS = 4;

/** As some proxies write it into X-Forwarded-For: `203.0.113.7:5000`, `[2001:db8::1]:5000`. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/;

/** An IPv4 address as it is, also inside an IPv6 one; of an IPv6 address the network that one customer gets, a /64. */
export function addressGroup(address: string): string {
  const [, bracketed, plain] = WITH_PORT.exec(address) ?? [];
  const [bare = ''] = (bracketed ?? plain ?? address).split('%', 1);
  if (isIP(bare) === 0) return UNKNOWN;
  const parsed = ipaddr.process(bare);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = [...parsed.parts.slice(0, NETWORK_PARTS), 0, 0, 0, 0];
  return `${new ipaddr.IPv6(network).toString()}/64`;
}
