/** After signing in: the memberships that a person may open. A single one opens at once. */
import { forPerson, pageEndpoints } from './pageEndpoint.js';
import { goTo, showPage } from './render/page.js';
import { choosePage, pathOf } from './views/choose.js';

export const choose = pageEndpoints({
  id: 'choosePage',
  path: '/choose',
  summary: 'Choose what to open',
  description: 'The organizations and partner portals that a person belongs to.',
  show: forPerson('/choose', async (call, { people }, signedIn) => {
    const memberships = await people.memberships(signedIn);
    const [only, ...others] = memberships;
    if (only && others.length === 0 && !only.needs_sign_in) return goTo(pathOf(only));
    return showPage(call, choosePage(memberships));
  }),
});
