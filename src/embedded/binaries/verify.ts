/** Checks downloaded files against their pinned sums. */
import { createHash } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/**
 * Returns when the file has this SHA-256 (lower-case hex); deletes a file that has another.
 * @param what for people, such as the file's address
 * @throws {Error} with the expected sum and the actual one
 */
export async function verifySha256(path: string, expected: string, what: string): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  const found = hash.digest('hex');
  if (found === expected) return;
  rmSync(path, { force: true });
  throw new Error(
    `the SHA-256 of ${what} is ${found}, expected ${expected}: it was changed in transit, or published again. It was ` +
      'deleted, and no part of it was run',
  );
}
