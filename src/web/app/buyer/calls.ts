import type { CallsOf } from '../../../api/partner/registry.js';
import { hooksFor } from '../lib/useCalls.js';

export const { useCall, usePages, useWrite } = hooksFor<CallsOf<'buyer'>>();
