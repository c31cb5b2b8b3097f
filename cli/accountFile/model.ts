/** An account as a file has it: records known by their names, settings by their wire names. */

/** Settings of a record; limits are an object of their own, `caps`, which holds all that there are. */
export type Terms = Readonly<Record<string, unknown>>;

export interface Named {
  name: string;
  terms: Terms;
}

/** A record that the server has. */
export interface Stored extends Named {
  id: string;
}

export interface StoredCampaign extends Stored {
  /** Grows with every change of it. */
  version: number;
  /** The terms of its buyers and suppliers, by their names. */
  buyers: Named[];
  suppliers: Named[];
}

export interface StoredFunnel extends Stored {
  /** Of its draft: grows with every change of it. */
  version: number;
}

export interface Account {
  buyers: Stored[];
  suppliers: Stored[];
  campaigns: StoredCampaign[];
  /** Read only for a file that names some, and to write one. */
  funnels: StoredFunnel[];
}

/** Where something is in a file. */
export type Path = readonly (string | number)[];

/** A record as the file has it: only what it names. */
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
}

/** What is wrong with a file. */
export interface Problem {
  path: Path;
  message: string;
}

export type Complain = (path: Path, message: string) => void;

/** Equal texts in one order everywhere, whatever the language of the machine. */
export const byName = <T extends { name: string }>(records: readonly T[]): T[] =>
  records.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
