/** Receives the events of a call as it runs, so that they are logged with the caller's address. */
import type { AppError } from '../../lib/errors.js';
import type { CallerId } from './callerId.js';

export interface Witness {
  /** The key is valid, and is this caller's. */
  known(caller: CallerId): void;
  /** The call was refused, or a part of it was, such as one tool of a batch. */
  refused(error: AppError): void;
  /** An action ran that those who guard the installation need to see. */
  ran(event: 'operator_command' | 'key_changed', action: string): void;
}
