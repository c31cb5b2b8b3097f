/** Which addresses and URLs an outbound request may go to. No I/O: names are resolved when connecting. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface AddressPolicy {
  /** Opens private, loopback and every other special address, for the embedded stack and tests. */
  allowPrivate: boolean;
}

interface OutboundTarget {
  origin: string;
  /** Path and query. */
  path: string;
}

/** The part of IPv6 that is assigned for public use; the library calls everything that is not special unicast. */
const PUBLIC_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Public by its number only: there each machine in Azure finds the services of its own host. */
const AZURE_HOST = '168.63.129.16';

/**
 * Whether a literal address is one of the public internet: unicast and in no special range (private,
 * loopback, link-local, carrier-grade NAT, documentation, tunnels and translations, …).
 * An IPv4 address inside an IPv6 one counts as IPv4. One with a zone (`%eth0`) belongs to a local link.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast' || parsed.toString() === AZURE_HOST) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(PUBLIC_IPV6);
}

/** Reads a URL once, for checking and for sending; or returns the reason why nothing may be sent there. */
export function readOutboundUrl(
  url: string,
  policy: AddressPolicy,
): OutboundTarget | { refused: string } {
  const parsed = URL.parse(url);
  if (!parsed) return { refused: 'must be an absolute URL, such as https://example.com/leads' };
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') {
    return { refused: 'must begin with https:// or http://' };
  }
  if (parsed.username || parsed.password) {
    return { refused: 'must not carry a user name or password; use a header instead' };
  }
  const host = parsed.hostname.replace(/^\[|\]$/g, '');
  if (!policy.allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) {
    return { refused: `must not point to ${host}, which is not a public address` };
  }
  return { origin: parsed.origin, path: parsed.pathname + parsed.search };
}

/**
 * Whether a URL may be saved as the target of deliveries or events.
 * @returns null when it may, else the rule it breaks, to be put after the field's name
 */
export function checkOutboundUrl(url: string, policy: AddressPolicy): string | null {
  const read = readOutboundUrl(url, policy);
  return 'refused' in read ? read.refused : null;
}
