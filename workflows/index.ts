/** The workflows that a worker runs. */
export { destination } from './destination.js';
export { intake } from './intake.js';
export { pingExpiry } from './pingExpiry.js';
export { reconcile } from './reconcile.js';
