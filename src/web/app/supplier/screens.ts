/** The screens of a supplier, in the order of the navigation. The first is at `/`. */
import type { Screen } from '../lib/route.js';

export const supplierScreens: readonly Screen[] = [];
