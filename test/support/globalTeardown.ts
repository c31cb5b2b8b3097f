export { stopServers as default } from './globalSetup.js';
