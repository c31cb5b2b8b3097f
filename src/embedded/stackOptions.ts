import type { Reporter } from './reporter.js';

export interface StackOptions {
  /** Folder of the embedded servers' data; untouched when both addresses are given. */
  home: string;
  /** Folder of the server programs; made when absent. */
  cacheDir: string;
  reporter: Reporter;
  /** An outside MongoDB; absent: one is started. */
  mongodbUri?: string;
  /** An outside Temporal, `host:port`; absent: one is started. */
  temporalAddress?: string;
  temporalNamespace: string;
  /** Programs to use instead of looking for one. */
  mongodPath?: string;
  temporalPath?: string;
  /** `usual` (the default) tries 27017, 7233 and 8233 first; `any` leaves them to others. */
  ports?: 'usual' | 'any';
}
