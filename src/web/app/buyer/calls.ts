import type { BuyerSchemas } from '../../../api/partner/schemas/buyerCalls.js';
import { hooksFor } from '../lib/useCalls.js';

export const { useCall, usePages, useWrite } = hooksFor<BuyerSchemas>();
