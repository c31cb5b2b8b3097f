/**
 * Five definitions, each written by hand from the paragraph above it and only from the published schema: the result
 * that an assistant should produce at its first try.
 */
import { ACCIDENT } from './arabic.js';
import { listOf, mapping, yesNo, type Brief } from './mapping.js';

// "We sell solar leads. Ask whether they own the home; renters cannot be helped, tell them kindly. Owners tell their
// monthly bill and how sunny the roof is, with icons. Then the zip code, then name, phone and email. Green."
const SOLAR: Brief = {
  title: 'a solar quiz that turns renters away',
  fields: mapping(
    yesNo('is_homeowner'),
    listOf('monthly_bill', ['under-100', '100-200', 'over-200']),
    listOf('roof_shade', ['none', 'some', 'full'], { required: false }),
    { name: 'zip_code', type: 'Zip / Postal Code', required: true },
  ),
  definition: {
    title: 'Is your roof made for solar?',
    description: 'Three questions tell what your roof could save.',
    theme: { optionIconStyle: 'icon', primaryColor: '#166534', accentColor: '#CA8A04' },
    blocks: [
      {
        id: 'head',
        type: 'hero',
        title: 'Is your roof made for solar?',
        subtitle: 'Find out in one minute.',
      },
      {
        id: 'owner',
        type: 'quiz_step',
        title: 'Do you own your home?',
        field: 'is_homeowner',
        options: [
          { value: true, label: 'Yes, I own it', icon: 'home' },
          { value: false, label: 'No, I rent', icon: 'building', not_qualified: 'renters' },
        ],
      },
      {
        id: 'bill',
        type: 'quiz_step',
        title: 'What is your monthly power bill?',
        field: 'monthly_bill',
        options: [
          { value: 'under-100', label: 'Less than $100', icon: 'leaf' },
          { value: '100-200', label: '$100 to $200', icon: 'dollar' },
          { value: 'over-200', label: 'More than $200', icon: 'bolt' },
        ],
      },
      {
        id: 'shade',
        type: 'quiz_step',
        title: 'How much shade is on your roof?',
        field: 'roof_shade',
        required: false,
        options: [
          { value: 'none', label: 'None', icon: 'sun' },
          { value: 'some', label: 'Some', icon: 'umbrella' },
          { value: 'full', label: 'It lies in the shade', icon: 'umbrella' },
        ],
      },
      {
        id: 'place',
        type: 'form',
        title: 'Where is the roof?',
        fields: [{ name: 'zip_code', label: 'Zip code' }],
      },
      {
        id: 'contact',
        type: 'form',
        title: 'Who gets the result?',
        fields: [
          { name: 'full_name', label: 'Your name' },
          { name: 'phone', label: 'Phone' },
          { name: 'email', label: 'Email' },
        ],
        button: 'See my savings',
      },
      {
        id: 'foot',
        type: 'footer',
        links: [{ label: 'Privacy', url: 'https://solar.test/privacy' }],
      },
    ],
    consent: { text: 'I agree that Bright Roofs may call and text me about solar panels.' },
    thanks: { title: 'Thank you!', text: 'A planner calls you within a day.' },
    no_buyer: { title: 'Thank you', text: 'Nobody builds in your area yet.' },
    not_qualified_pages: [
      {
        id: 'renters',
        title: 'Only owners can put panels on a roof',
        text: 'Perhaps your landlord wants to know of this page.',
      },
    ],
  },
};

// "A Spanish form for car insurance, to be embedded on two of our sites. State, whether they are insured now, how many
// cars (1 to 5). Every lead carries source = radio. Afterwards they go to our thanks page."
const CARS: Brief = {
  title: 'a Spanish form for car insurance, embedded on two sites',
  fields: mapping(
    yesNo('insured_now'),
    { name: 'cars', type: 'Number', required: true, min: 1, max: 5 },
    { name: 'state', type: 'State', required: true },
    { name: 'source', required: true, allowed_values: ['radio', 'tv'] },
  ),
  definition: {
    language: 'es',
    title: 'Seguro de auto',
    theme: { primaryColor: '#9f1239', fontFamily: 'serif', radius: 0 },
    progress: false,
    blocks: [
      { id: 'inicio', type: 'hero', title: 'Seguro de auto en dos minutos' },
      {
        id: 'datos',
        type: 'form',
        title: 'Sus datos',
        fields: [
          { name: 'first_name', label: 'Nombre' },
          { name: 'last_name', label: 'Apellido' },
          { name: 'phone', label: 'Teléfono' },
          { name: 'email', label: 'Correo' },
          { name: 'state', label: 'Estado' },
          { name: 'insured_now', label: '¿Tiene seguro?' },
          {
            name: 'cars',
            label: '¿Cuántos autos?',
            options: [1, 2, 3, 4, 5].map((value) => ({ value, label: String(value) })),
          },
        ],
      },
      {
        id: 'pie',
        type: 'footer',
        links: [{ label: 'Privacidad', url: 'https://seguros.test/privacidad' }],
      },
    ],
    consent: { text: 'Acepto que me llamen.', sellers: ['Seguros Uno', 'Seguros Dos'] },
    hidden_fields: { source: 'radio' },
    thanks: { title: '¡Gracias!', redirect_url: 'https://www.seguros.test/gracias' },
    no_buyer: { title: 'Gracias' },
    redirect_domains: ['www.seguros.test'],
    embed: { domains: ['www.seguros.test', 'radio.test'] },
  },
};

// "Mortgages: buying or refinancing? Buyers are asked whether they have found a house, refinancers for their balance and
// their rate. All are asked for their credit, and for contact data."
const MORTGAGE: Brief = {
  title: 'a mortgage quiz with two branches',
  fields: mapping(
    listOf('goal', ['Purchase', 'Refinance']),
    yesNo('found_home', { required: false }),
    { name: 'balance', type: 'Number', min: 0 },
    { name: 'rate', type: 'Number', min: 0, max: 30 },
    listOf('credit', ['Excellent', 'Good', 'Fair', 'Poor']),
  ),
  definition: {
    title: 'Your mortgage',
    blocks: [
      {
        id: 'goal',
        type: 'quiz_step',
        title: 'What do you want to do?',
        field: 'goal',
        options: [
          { value: 'Purchase', label: 'Buy a home', emoji: '🏠', next: 'found' },
          { value: 'Refinance', label: 'Refinance', emoji: '💵', next: 'loan' },
        ],
      },
      {
        id: 'found',
        type: 'quiz_step',
        title: 'Have you found it?',
        field: 'found_home',
        options: [
          { value: true, label: 'Yes', next: 'credit' },
          { value: false, label: 'Not yet', next: 'credit' },
        ],
      },
      {
        id: 'loan',
        type: 'form',
        title: 'Your loan',
        fields: [
          { name: 'balance', label: 'What is left to pay', required: true, placeholder: '200000' },
          { name: 'rate', label: 'Your rate in percent', help: 'It stands on your statement.' },
        ],
      },
      {
        id: 'credit',
        type: 'quiz_step',
        title: 'How is your credit?',
        field: 'credit',
        options: ['Excellent', 'Good', 'Fair', 'Poor'].map((value) => ({ value, label: value })),
      },
      {
        id: 'contact',
        type: 'form',
        title: 'Your offer is ready',
        fields: [
          { name: 'full_name', label: 'Name' },
          { name: 'email', label: 'Email' },
          { name: 'phone', label: 'Phone' },
        ],
      },
      {
        id: 'foot',
        type: 'footer',
        text: 'NMLS 000000',
        links: [{ label: 'Privacy policy', url: 'https://loans.test/privacy' }],
      },
    ],
    consent: {
      text: 'I agree to be called.',
      purpose: 'Mortgage offers',
      sellers: ['First Lender'],
    },
    thanks: { title: 'Thank you' },
    no_buyer: { title: 'Thank you' },
    protection: { submissions_per_minute: 20 },
  },
};

// "A dentist: show our video, what patients say, some badges and a FAQ. They choose a day and mornings or afternoons.
// New patients or not. Light blue page, dark text."
const DENTIST: Brief = {
  title: "a dentist's page with a video, voices of patients and an appointment",
  fields: mapping(
    { name: 'appointment_date', type: 'Date', required: true },
    listOf('daytime', ['morning', 'afternoon'], { required: false }),
    yesNo('new_patient', { required: false, default: true }),
  ),
  definition: {
    language: 'en-US',
    title: 'Dr. Fang, dentist',
    theme: { backgroundColor: '#e0f2fe', textColor: '#0c4a6e', primaryColor: '#075985' },
    blocks: [
      { id: 'top', type: 'hero', title: 'A gentle dentist near you' },
      {
        id: 'film',
        type: 'video',
        title: 'Our practice',
        url: 'https://media.dentist.test/tour.mp4',
        captions_url: 'https://media.dentist.test/tour.vtt',
      },
      { id: 'go', type: 'cta', label: 'Book a visit' },
      {
        id: 'when',
        type: 'form',
        title: 'When would you like to come?',
        fields: [
          { name: 'appointment_date', label: 'Day' },
          { name: 'daytime', label: 'Time of day', required: true },
          { name: 'new_patient', label: 'Are you new here?' },
        ],
        button: 'Continue',
      },
      { id: 'calm', type: 'text', text: 'Your data stays with us.\n\nWe never sell it.' },
      {
        id: 'who',
        type: 'form',
        title: 'Who are you?',
        fields: [
          { name: 'full_name', label: 'Name' },
          { name: 'phone', label: 'Phone' },
          { name: 'email', label: 'Email' },
        ],
        button: 'Book',
      },
      {
        id: 'voices',
        type: 'testimonials',
        items: [{ quote: 'It did not hurt.', name: 'Sam', location: 'Austin', rating: 5 }],
      },
      {
        id: 'badges',
        type: 'trust_badges',
        items: [{ label: 'Since 1998' }, { label: 'Open on Saturdays', icon: 'calendar' }],
      },
      {
        id: 'faq',
        type: 'faq',
        items: [{ question: 'Do you take my insurance?', answer: 'Most of them.' }],
      },
      {
        id: 'foot',
        type: 'footer',
        links: [{ label: 'Privacy', url: 'https://dentist.test/privacy' }],
      },
    ],
    consent: { text: 'I agree that Dr. Fang may call me about my appointment.' },
    thanks: { title: 'See you soon' },
    no_buyer: { title: 'We are full', text: 'Please call us.' },
  },
};

export const BRIEFS: readonly Brief[] = [SOLAR, CARS, MORTGAGE, ACCIDENT, DENTIST];
