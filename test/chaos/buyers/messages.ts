/** The messages between the buyers' process and the process that started it. */
import type { Identity } from './arrival.js';
import type { BuyerMode, Times } from './behaviors.js';
import type { BuyerSpec } from './buyer.js';

/** The first argument of the process, as JSON. */
export interface BuyersSetup {
  seed: string;
  /** Path of the journal; an existing one is what these buyers remember. */
  journal: string;
  buyers: (BuyerSpec & { port?: number; identity?: Identity })[];
  times: Times;
}

export type ToBuyers =
  | { kind: 'behave'; id: number; buyer?: string; mode: BuyerMode }
  | { kind: 'introduce'; id: number; identities: Record<string, Identity> }
  | { kind: 'stop' };

export type FromBuyers =
  { kind: 'ready'; ports: Record<string, number> } | { kind: 'done'; id: number; error?: string };
