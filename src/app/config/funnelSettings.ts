export interface FunnelSettings {
  /** Absent: the address of the console and the portals. */
  url: string | undefined;
  /** Whether funnels have a host, and so an origin, that no other page of the service has. */
  hasOwnOrigin: boolean;
}

/**
 * Separate from the code that serves funnels, so that a command that only reads settings does not load it.
 * @param url FUNNELS_URL
 * @param baseUrl BASE_URL
 */
export function funnelSettings(
  url: string | undefined,
  baseUrl: string | undefined,
): FunnelSettings {
  const host = url === undefined ? null : new URL(url).host;
  // One host by HTTP and by HTTPS cannot be told apart behind a proxy.
  const isElsewhere = baseUrl === undefined || new URL(baseUrl).host !== host;
  return { url, hasOwnOrigin: host !== null && isElsewhere };
}
