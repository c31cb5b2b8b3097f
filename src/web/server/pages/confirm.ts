/** Confirms the person again, for changes that require a recent sign-in. */
import { faultsOf } from './faults.js';
import { forPerson, forSamePerson, fromOf, pageEndpoints, textOf } from './pageEndpoint.js';
import { goTo, showPage } from './render/page.js';
import { pathWith, returnPath } from './returnPath.js';
import { CONFIRM_FIELDS, confirmedPage, confirmPage } from './views/confirm.js';

const HERE = '/confirm';

export const confirm = pageEndpoints({
  id: 'confirmPersonPage',
  path: HERE,
  summary: 'Confirm the signed-in person',
  description:
    'By the password, or by a code where the second step is on. `next` is the page of this site that follows.',
  show: (call, deps) => {
    const next = returnPath(call.query().get('next'));
    const isRepeated = call.query().get('again') !== null;
    return forPerson(pathWith(HERE, { next }), async (_call, { people }, signedIn) => {
      if (signedIn.is_fresh) return showPage(call, confirmedPage(next));
      const { has_totp: hasTotp } = await people.account.view(signedIn);
      return showPage(call, confirmPage({ signedIn, hasTotp, next, isRepeated }));
    })(call, deps);
  },
  submit: (call, deps) => {
    const next = returnPath(textOf(call, 'next'));
    const act = forSamePerson(pathWith(HERE, { next }), async (_call, { people }, signedIn) => {
      const [password, code] = [textOf(call, 'current_password'), textOf(call, 'code')];
      const proof = code === '' ? { password } : { code };
      try {
        await people.confirmFresh(signedIn, proof, fromOf(call));
        return next === null ? goTo(HERE) : goTo(next);
      } catch (error) {
        const { has_totp: hasTotp } = await people.account.view(signedIn);
        const faults = faultsOf(error, CONFIRM_FIELDS, hasTotp ? 'code' : 'current_password');
        return showPage(call, confirmPage({ signedIn, hasTotp, next, faults }));
      }
    });
    return act(call, deps);
  },
});
