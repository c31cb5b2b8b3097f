/** What a ping is called by: the token that its supplier was given, or its own id. */
import { decodeJwt } from 'jose';

/** No token of ours is longer. */
const TOKEN_MAX = 2_000;

/**
 * The id within a token, or the text itself. Nothing is verified: whoever asks sees the pings of its organization by
 * their ids anyhow.
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
