/** The screens of the organization, in the order of the navigation. */
import type { Screen } from '../lib/route.js';

export const orgScreens: readonly Screen[] = [];
