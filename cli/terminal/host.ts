/** The process of a command, as far as the command uses it. */
export type Host = Pick<
  NodeJS.Process,
  'argv' | 'env' | 'stdin' | 'stdout' | 'stderr' | 'on' | 'off' | 'exit'
>;
