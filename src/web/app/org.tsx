/** What an organization's own people see: its members, its partners' portals, the changes that partners ask for. */
import { orgScreens } from './org/screens.js';
import { start } from './shell/start.js';

start({
  at: '/org',
  api: (membership) => `/console/api/${membership}/actions`,
  me: (membership) => `/console/api/${membership}/me`,
  screens: () => orgScreens,
});
