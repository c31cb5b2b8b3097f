/** The pages of an organization's own people: members, the partners' portals, the changes that partners request. */
import { consoleScreens } from './console/screens.js';
import { start } from './shell/start.js';

start({
  at: '/org',
  api: (membership) => `/console/api/${membership}/actions`,
  me: (membership) => `/console/api/${membership}/me`,
  screens: () => consoleScreens,
});
