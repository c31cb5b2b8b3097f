/** The screens of a buyer, in the order of the navigation. The first is at `/`. */
import type { Screen } from '../lib/route.js';

export const buyerScreens: readonly Screen[] = [];
