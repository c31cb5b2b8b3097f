/** The workflows that a worker runs. */
export { automation, destination } from './destination.js';
export { intake } from './intake.js';
export { outcomeExpiry } from './outcomeExpiry.js';
export { pingExpiry } from './pingExpiry.js';
export { recordOutcomes } from './recordOutcomes.js';
export { reconcile } from './reconcile.js';
