export { readVersion } from '../src/version.js';
