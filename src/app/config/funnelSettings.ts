export interface FunnelSettings {
  /** Absent: at the address of the pages of people. */
  url: string | undefined;
  /** Whether funnels have an origin that no other page of the service has. */
  hasOwnOrigin: boolean;
}

/**
 * Apart from what serves funnels, so that a command that only reads settings does not load that.
 * @param url FUNNELS_URL
 * @param baseUrl BASE_URL
 */
export function funnelSettings(
  url: string | undefined,
  baseUrl: string | undefined,
): FunnelSettings {
  const origin = url === undefined ? null : new URL(url).origin;
  const isElsewhere = baseUrl === undefined || new URL(baseUrl).origin !== origin;
  return { url, hasOwnOrigin: origin !== null && isElsewhere };
}
