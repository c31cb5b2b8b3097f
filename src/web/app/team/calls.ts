import type { TeamSchemas } from '../../../api/partner/schemas/shared.js';
import { hooksFor } from '../lib/useCalls.js';

export const { useCall, useWrite } = hooksFor<TeamSchemas>();
