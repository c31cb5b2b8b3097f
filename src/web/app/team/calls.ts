import type { ByName } from '../../../api/partner/call.js';
import type { TEAM_CALLS } from '../../../api/partner/team.js';
import { hooksFor } from '../lib/useCalls.js';

export const { useCall, useWrite } = hooksFor<ByName<(typeof TEAM_CALLS)[number]>>();
