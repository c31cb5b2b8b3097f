/** The funnel that visitors of the proof fill in: a question, then a form, and end pages unlike any other page. */
import type { FunnelDefinitionInput } from '../../../src/funnels/rules/definition.js';

export type Outcome = 'thanks' | 'no_buyer';

/** The text of each end page, unique to it. */
export const RESULT_TITLES: Readonly<Record<Outcome, string>> = {
  thanks: 'Thank you: a partner has your answers',
  no_buyer: 'No partner can help at the moment',
};

export const CONSENT_TEXT = 'I agree that Example Homes calls me about my roof.';

export const provenFunnel: FunnelDefinitionInput = {
  language: 'en',
  title: 'A new roof',
  blocks: [
    { id: 'head', type: 'hero', title: 'A new roof' },
    {
      id: 'home',
      type: 'quiz_step',
      title: 'Where is your home?',
      field: 'state',
      options: [
        { value: 'CA', label: 'California' },
        { value: 'TX', label: 'Texas' },
      ],
    },
    {
      id: 'contact',
      type: 'form',
      title: 'Who may we call?',
      fields: [
        { name: 'first_name', label: 'First name' },
        { name: 'last_name', label: 'Last name' },
        { name: 'phone', label: 'Phone' },
        { name: 'email', label: 'Email' },
      ],
    },
  ],
  consent: { text: CONSENT_TEXT },
  thanks: { title: RESULT_TITLES.thanks },
  no_buyer: { title: RESULT_TITLES.no_buyer },
  // The proof is about killed processes, not about bots.
  protection: { submissions_per_minute: 6_000 },
};
