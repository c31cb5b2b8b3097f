/**
 * Which web pages may call (MCP, "Security Warning" of the Streamable HTTP transport): the Origin distinguishes our
 * pages from one that has pointed its own name at this machine (DNS rebinding).
 */
import { AppError } from '../../lib/errors.js';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Programs send no Origin, and applications one that no web page can have (`vscode-file://…`): both pass.
 * @param allowed origins such as `https://chat.example.com`
 * @throws {AppError} `forbidden` for any other web page
 */
export function checkOrigin(origin: string | undefined, allowed: readonly string[]): void {
  if (origin === undefined || allowed.includes(origin.toLowerCase())) return;
  const url = URL.canParse(origin) ? new URL(origin) : null;
  const isPage = url === null || url.protocol === 'http:' || url.protocol === 'https:';
  if (!isPage || (url !== null && LOOPBACK.includes(url.hostname))) return;
  throw new AppError(
    'forbidden',
    `Pages of ${origin.slice(0, 200)} may not call this. The operator of the service can allow them with MCP_ORIGINS.`,
  );
}
