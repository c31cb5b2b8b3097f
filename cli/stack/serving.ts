/** The service on running servers: whole in this process, or in several that it supervises. */
import type { Config } from '../../src/app/config.js';
import type { Deps, StackAddresses } from '../../src/app/deps.js';
import type { Environment } from '../output/paint.js';

export interface ServingOptions {
  config: Config;
  /** The source of `config`. */
  environment: Environment;
  stack: StackAddresses;
  /** Notified when the service can no longer do its work. */
  onFatal: (error: unknown) => void;
}

export interface Serving {
  /** Address of the API. */
  url: string;
  /** For setup and display next to the service. */
  record: Pick<Deps, 'collections' | 'clock' | 'keyring'>;
  /** Lets what is in flight finish; at most about 30 seconds. */
  stop(): Promise<void>;
}
