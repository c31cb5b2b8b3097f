/** The workflows that a worker runs. */
export { destination } from './destination.js';
export { intake } from './intake.js';
export { reconcile } from './reconcile.js';
