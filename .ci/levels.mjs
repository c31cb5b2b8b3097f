/** The levels of the tests: which folders of `test` belong to each. A file belongs to the first that names it. */

/** @type {Record<string, { folders: string[], workers?: number }>} */
export const LEVELS = {
  chaos: { folders: ['chaos/runs'], workers: 2 },
  // Programs beside the service: our own, and generators of clients.
  tools: { folders: ['chaos', 'bench', 'fuzz', 'mutants', 'contract/generators'] },
  // They wait more than they compute.
  faults: { folders: ['faults'], workers: 4 },
  load: { folders: ['load'], workers: 2 },
  pages: { folders: ['web/browser'] },
  /** What a change can break: `npm test`. */
  main: { folders: [''] },
};

/** The level of a test file, given its path below `test`, or below `dist/test`. */
export const levelOf = (path) =>
  Object.keys(LEVELS).find((level) =>
    LEVELS[level].folders.some((folder) => folder === '' || path.startsWith(`${folder}/`)),
  );
