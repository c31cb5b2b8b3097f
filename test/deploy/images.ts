/** Which image references never change. PostgreSQL's releases have two numbers, all others three. */
const DIGEST = /@sha256:[0-9a-f]{64}$/;
const RELEASE = /:v?\d+\.\d+\.\d+(-[\w.-]+)?$/;
const POSTGRES_RELEASE = /^postgres:\d+\.\d+(-[\w.]+)?$/;

/** Whether it names a release, and for an official image (without a publisher) also the digest of that release. */
export function isPinned(image: string): boolean {
  const named = image.replace(DIGEST, '');
  const isOfficial = !image.includes('/') && !image.startsWith('leadwire:');
  const isRelease = [RELEASE, POSTGRES_RELEASE].some((pattern) => pattern.test(named));
  return isRelease && (!isOfficial || DIGEST.test(image));
}

/** A numeric user and group, neither of them root: an orchestrator can check that without the image. */
export const isPlainUser = (user: string | undefined): boolean =>
  /^[1-9]\d*:[1-9]\d*$/.test(user ?? '');
