/** What a campaign's leads are about, such as "Auto insurance": free text of the account. */

/** Maximum characters of a vertical. */
export const VERTICAL_MAX = 120;

/** Without outer blanks and in one Unicode form (NFC); null, or blank, is none. */
export function readVertical(vertical: string | null): string | null {
  const trimmed = vertical?.trim().normalize('NFC') ?? '';
  return trimmed === '' ? null : trimmed;
}

/** The form that verticals are compared in: case makes no difference. */
export const verticalKey = (vertical: string): string => vertical.toLowerCase();

/** The stored form; absent from campaigns older than verticals. */
export interface StoredVertical {
  /** Null: not set. */
  vertical: string | null;
  /** The same in lower case: lists are filtered by it. */
  vertical_key: string | null;
}

export const verticalFields = (vertical: string | null): StoredVertical => ({
  vertical,
  vertical_key: vertical === null ? null : verticalKey(vertical),
});
