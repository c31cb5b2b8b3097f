/** Records that a file names must be in it, or in the account. */
import { findNearest } from '../../src/lib/nearest.js';
import { found, type Comparison, type Path } from './model.js';

/** Reports a name that no record has, with a similar one as a hint. */
export function mustExist(
  kind: 'buyer' | 'supplier' | 'campaign',
  name: string,
  path: Path,
  { file, account, complain }: Comparison,
): void {
  const known = [...file[`${kind}s`], ...account[`${kind}s`]];
  if (found(known, name)) return;
  const near = findNearest(
    name,
    known.map((one) => one.name),
  );
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  const where = `neither in this file nor in the account.${hint}`;
  complain([...path, kind], `: there is no ${kind} "${name}", ${where}`);
}
