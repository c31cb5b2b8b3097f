/** Notices a proxy whose headers are not trusted: then all of its clients have one address. */
import type Koa from 'koa';
import type { Log } from '../../lib/log.js';
import { isPublicAddress } from '../../platform/outbound/publicAddress.js';

export interface ForwardedWatch {
  /** Looks at a request. */
  see(request: Pick<Koa.Request, 'headers' | 'socket'>): void;
  /** The problem and what to do; null while none was seen. */
  warning(): string | null;
}

const WARNING =
  'Requests come with X-Forwarded-For from a proxy on this machine or a private network, and TRUST_PROXY is not set: all ' +
  "clients behind it count as one, in limits, lockouts and the audit log. Set TRUST_PROXY=true where only the proxy's " +
  'requests reach this port, or let it send no X-Forwarded-For.';

/** From a public address the header says nothing: any client may send it. */
export function createForwardedWatch({
  trustProxy,
  log,
}: {
  trustProxy: boolean;
  log: Pick<Log, 'warn'>;
}): ForwardedWatch {
  let seen = false;
  return {
    see({ headers, socket }) {
      if (trustProxy || seen || headers['x-forwarded-for'] === undefined) return;
      if (isPublicAddress(socket.remoteAddress ?? '')) return;
      seen = true;
      log.warn(WARNING);
    },
    warning: () => (seen ? WARNING : null),
  };
}
