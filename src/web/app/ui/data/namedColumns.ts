/** Columns that an address names, such as that of a saved view. */
import { useSearchParams } from 'wouter';
import { useShownColumns, type Choosable, type ShownColumns } from './columns.js';

/** Of an address, the columns that a list shows: their ids, separated by commas. */
export const COLUMNS_PARAM = 'columns';

/** The columns of the address where it names some, else those that this browser keeps under `storageKey`. */
export function useNamedColumns(
  columns: readonly Choosable[],
  storageKey: string | undefined,
): ShownColumns {
  const kept = useShownColumns(columns, storageKey);
  const [params, setParams] = useSearchParams();
  const named = params.get(COLUMNS_PARAM);
  if (named === null || storageKey === undefined) return kept;
  const ids = new Set(named.split(','));
  const name = (shown: ReadonlySet<string> | null): void =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (shown === null) after.delete(COLUMNS_PARAM);
        else after.set(COLUMNS_PARAM, idsOf(columns, shown).join());
        return after;
      },
      { replace: true },
    );
  return {
    shown: new Set(columns.filter(({ id, isPinned }) => isPinned || ids.has(id)).map(idOf)),
    isChanged: true,
    reset: () => name(null),
    onChange: name,
  };
}

const idOf = ({ id }: Choosable): string => id;

const idsOf = (columns: readonly Choosable[], shown: ReadonlySet<string>): string[] =>
  columns.filter(({ id }) => shown.has(id)).map(idOf);
