/** Which image references stay what they are. PostgreSQL's releases have two numbers, everybody else's three. */
const DIGEST = /@sha256:[0-9a-f]{64}$/;
const RELEASE = /:v?\d+\.\d+\.\d+(-[\w.-]+)?$/;
const POSTGRES_RELEASE = /^postgres:\d+\.\d+(-[\w.]+)?$/;

export const isPinned = (image: string): boolean =>
  [DIGEST, RELEASE, POSTGRES_RELEASE].some((pattern) => pattern.test(image));

/** A numeric user and group, neither of them root: an orchestrator can see it without the image. */
export const isPlainUser = (user: string | undefined): boolean =>
  /^[1-9]\d*:[1-9]\d*$/.test(user ?? '');
