/** The link that opens the console signed in. Opening it changes nothing; its button uses it, once. */
import type { Call, Reply } from '../../../api/http/endpoint.js';
import type { ConsoleLinkView } from '../../../people/links/consoleLinks.js';
import { pageGiven } from './choose.js';
import { enter } from './enter.js';
import { faultsOf } from './faults.js';
import { fromOf, pageEndpoints, personOf } from './pageEndpoint.js';
import { goTo, showPage } from './render/page.js';
import { pathWith } from './returnPath.js';
import { consoleLinkPage, deadLinkPage } from './views/links.js';

const OVER =
  'It was already used, or has expired after 30 minutes. Run leadwire open, or start Leadwire again, for a new one.';

const dead = (call: Call): Reply => showPage(call, deadLinkPage(OVER), { status: 404 });

/** The console of the organization: a page of it, where the link names one. */
const placeOf = (call: Call, { org_id }: ConsoleLinkView): string =>
  pathWith('/choose', { org: org_id, page: pageGiven(call) });

const actionOf = (call: Call): string =>
  pathWith(`/enter/${encodeURIComponent(call.param('token'))}`, { page: pageGiven(call) });

export const enterConsole = pageEndpoints({
  id: 'enterConsolePage',
  path: '/enter/:token',
  change: 'enter_console',
  summary: 'Open the console of the demo account',
  description:
    'The link that `leadwire up --demo` prints. Opening it changes nothing; its form signs in, once.',
  show: async (call, { people }) => {
    const link = await people.consoleLinks.read(call.param('token'));
    if (!link) return dead(call);
    const person = personOf(call);
    if (person?.id === link.person.id) return goTo(placeOf(call, link));
    return showPage(call, consoleLinkPage({ ...link, action: actionOf(call), signedIn: person }));
  },
  submit: async (call, { people }) => {
    const token = call.param('token');
    const link = await people.consoleLinks.read(token);
    if (!link) return dead(call);
    try {
      const result = await people.consoleLinks.use(token, fromOf(call));
      return await enter(call, people, result, placeOf(call, link));
    } catch (error) {
      if (faultsOf(error, []).status === 404) return dead(call);
      throw error;
    }
  },
});
