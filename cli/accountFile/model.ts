/** An account in the form of a file: records matched by their names, settings by their wire names. */
import { findNearest } from '../../src/lib/nearest.js';

/** Settings of a record; limits are in an object of their own, `caps`, which holds all that are set. */
export type Terms = Readonly<Record<string, unknown>>;

export interface Named {
  name: string;
  terms: Terms;
}

/** A record on the server. */
export interface Stored extends Named {
  id: string;
}

export interface StoredCampaign extends Stored {
  /** Grows with every change of the campaign. */
  version: number;
  /** The terms of its buyers and suppliers, by their names. */
  buyers: Named[];
  suppliers: Named[];
}

export interface StoredFunnel extends Stored {
  /** Version of its draft: grows with every change of it. */
  version: number;
}

export interface Account {
  buyers: Stored[];
  suppliers: Stored[];
  campaigns: StoredCampaign[];
  /** Read only for a file that names funnels, and to write one. */
  funnels: StoredFunnel[];
  /** Likewise. */
  automations: Stored[];
}

/** The position of a value in a file. */
export type Path = readonly (string | number)[];

/** A record as the file has it: only the settings that it names. */
export interface Written extends Named {
  path: Path;
}

export interface WrittenCampaign extends Written {
  buyers: Written[];
  suppliers: Written[];
}

export interface AccountFile {
  buyers: Written[];
  suppliers: Written[];
  campaigns: WrittenCampaign[];
  funnels: Written[];
  automations: Written[];
}

/** A fault of a file. */
export interface Problem {
  path: Path;
  message: string;
}

export type Complain = (path: Path, message: string) => void;

/** A file, and the account that it is compared with. */
export interface Comparison {
  file: AccountFile;
  account: Account;
  /** Fields of any campaign, which deliveries may name. */
  fieldNames: readonly string[];
  /** Values of existing headers are sent, too. */
  withHeaders: boolean;
  /** Reports a fault of the file. */
  complain: Complain;
}

export const found = <T extends { name: string }>(
  records: readonly T[],
  name: string,
): T | undefined => records.find((one) => one.name === name);

/** Sorted in the same order everywhere, in any locale of the machine. */
export const byName = <T extends { name: string }>(records: readonly T[]): T[] =>
  records.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

/** Reports a name that no record has, in this file or in the account, with a similar one as a hint. */
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
