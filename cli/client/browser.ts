/** The caller's browser. */
import { spawn } from 'node:child_process';
import type { Environment } from '../output/paint.js';

export const isWebAddress = (url: string): boolean =>
  URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);

/** Does nothing where there is no browser: the address has been printed. */
export function browserOf(environment: Environment): (url: string) => void {
  const [command, ...args] = commandOf(environment);
  return (url) => {
    if (command === undefined) return;
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
    child.on('error', () => undefined);
    child.unref();
  };
}

/** Without a shell, so that an address is never run as a command. */
function commandOf({ DISPLAY, WAYLAND_DISPLAY }: Environment): string[] {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : [];
}
