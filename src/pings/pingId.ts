/** How callers name a ping: the token that its supplier received, or its id. */
import { decodeJwt } from 'jose';

/** No token of ours is longer. */
const TOKEN_MAX = 2_000;

/**
 * The id within a token, or the text itself. Nothing is verified: the caller may see every ping of its organization by
 * its id anyway.
 */
export function pingIdOf(given: string): string {
  if (given.length > TOKEN_MAX || given.split('.').length !== 3) return given;
  try {
    const { jti } = decodeJwt(given);
    return typeof jti === 'string' ? jti : given;
  } catch {
    return given;
  }
}
