/** The console: the pages of an organization's own people. */
import { consoleScreens } from './console/screens.js';
import { start } from './shell/start.js';
import { Tools } from './shell/tools.js';

start({
  at: '/org',
  api: (membership) => `/console/api/${membership}/actions`,
  me: (membership) => `/console/api/${membership}/me`,
  screens: () => consoleScreens,
  tools: <Tools screens={consoleScreens} />,
});
