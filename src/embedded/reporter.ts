/** How the embedded stack reports its progress to a person. One step runs at a time. */
export interface Reporter {
  /** A step begins. */
  start(text: string): void;
  /** News of the running step: sizes, counts. */
  progress(text: string): void;
  /** The running step succeeded. */
  done(text: string): void;
  /** The running step failed; `text` holds the reason. */
  fail(text: string): void;
  /** A remark outside any step. */
  info(text: string): void;
}
