import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { prepareHome, readOrCreateSecret } from '../../src/embedded/home.js';
import { testFolder, type TestFolder } from './support.js';

describe('the home', () => {
  let folder: TestFolder;
  beforeEach(() => {
    folder = testFolder();
  });
  afterEach(() => folder.remove());

  it('is closed to other users, also when it was open before', () => {
    const root = join(folder.path, 'home');
    mkdirSync(root);
    chmodSync(root, 0o755);
    const paths = prepareHome(root);
    expect(statSync(root).mode & 0o777).toBe(0o700);
    expect(statSync(paths.mongodb).isDirectory()).toBe(true);
  });

  it('keeps one secret, readable by its owner only', () => {
    const path = join(folder.path, 'secret');
    const secret = readOrCreateSecret(path);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readOrCreateSecret(path)).toBe(secret);
  });

  it('refuses a damaged secret and never replaces it', () => {
    const path = join(folder.path, 'secret');
    writeFileSync(path, 'cut off');
    const message = `${path} must contain 64 hexadecimal digits. Restore it from a backup.`;
    expect(() => readOrCreateSecret(path)).toThrow(message);
    expect(() => readOrCreateSecret(path)).toThrow(message);
  });
});
