/** What npm is set to, from its variables and its files, as far as an update notice depends on it. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { getOwn } from '../../src/lib/getOwn.js';
import type { Environment } from '../output/paint.js';

export interface NpmSettings {
  /** Address of the registry, without a slash at its end; null: none is set. */
  registry: string | null;
  /** Whether npm itself may tell of newer versions. */
  notifies: boolean;
}

/**
 * Variables of npm come before its files: that of the folder, of the user, and of the installation. The address that npm has
 * by default is not known here, so without a setting there is none.
 */
export function readNpmSettings(environment: Environment, folder: string): NpmSettings {
  const texts = filesOf(environment, folder).map(readText);
  const setting = (name: string): string | undefined => {
    const given = getOwn(environment, `npm_config_${name.replaceAll('-', '_')}`);
    if (given) return given;
    const line = new RegExp(`^\\s*${name}\\s*=\\s*(.+?)\\s*$`, 'm');
    return texts.map((text) => line.exec(text)?.[1]).find((value) => value !== undefined);
  };
  const registry = setting('registry')?.replace(/^(["'])(.*)\1$/, '$2');
  return {
    registry:
      registry !== undefined && isWebAddress(registry) ? registry.replace(/\/+$/, '') : null,
    notifies: setting('update-notifier') !== 'false',
  };
}

function filesOf(environment: Environment, folder: string): string[] {
  const { HOME, USERPROFILE, npm_config_userconfig, npm_config_globalconfig, PREFIX } = environment;
  return [
    join(folder, '.npmrc'),
    npm_config_userconfig ?? join(HOME ?? USERPROFILE ?? homedir(), '.npmrc'),
    npm_config_globalconfig ?? join(PREFIX ?? join(process.execPath, '..', '..'), 'etc', 'npmrc'),
  ];
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const isWebAddress = (text: string): boolean =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
