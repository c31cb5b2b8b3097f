/** The cookies of `src/people`: kept by the browser for this host alone, sent by HTTPS alone, read by no script. */
import type { DEVICE_COOKIE, OIDC_COOKIE, SESSION_COOKIE } from '../types.js';

type CookieName = typeof SESSION_COOKIE | typeof DEVICE_COOKIE | typeof OIDC_COOKIE;

/** `Lax`: `Strict` would not be sent when an identity provider sends the browser back. */
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';

/** @param seconds how long the browser keeps it */
export const cookie = (name: CookieName, value: string, seconds: number): string =>
  `${name}=${value}; Max-Age=${seconds}; ${ATTRIBUTES}`;

export const clearedCookie = (name: CookieName): string => `${name}=; Max-Age=0; ${ATTRIBUTES}`;
