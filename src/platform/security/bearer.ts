/** The token of an `Authorization: Bearer …` header (RFC 6750, section 2.1); undefined where it is none. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1];
