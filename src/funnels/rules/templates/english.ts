/** The English texts of templates; those of every other language have their shape. */

export const ENGLISH = {
  /** What all templates share. */
  common: {
    /** Of the system's fields; others have those of the mapping. */
    labels: {
      full_name: 'Full name',
      first_name: 'First name',
      last_name: 'Last name',
      email: 'Email',
      phone: 'Phone number',
      state: 'State',
      zip_code: 'ZIP code',
      source: 'How did you find us?',
    },
    details: {
      title: 'A few details',
      text: 'They help us find the right company for you.',
    },
    /** Of a step that asks both about the request and about the person. */
    request: { title: 'Your request', text: 'A few answers and your contact details.' },
    place: { title: 'Where are you located?', text: 'Offers vary by location.' },
    time: {
      title: 'When suits you best?',
      text: 'Choose a time. You can change it when we call.',
    },
    video: 'See how it works',
    badges: {
      easy: 'Done in two minutes',
      free: 'Free, with no obligation',
      safe: 'Encrypted connection',
    },
    steps: {
      title: 'How it works',
      text:
        'Answer a few questions, and leave your phone number and email.\n\n' +
        'We find a company that fits your request.\n\n' +
        'The company contacts you, answers your questions and makes you an offer. You decide.',
    },
    faq: {
      title: 'Frequently asked questions',
      items: [
        {
          question: 'What does it cost?',
          answer: 'Nothing. It is free, with no obligation.',
        },
        {
          question: 'What happens after I send my answers?',
          answer:
            'We find a company that fits your request. It contacts you by phone, text message or email.',
        },
        {
          question: 'Who gets my answers?',
          answer: 'The companies we match your request with, so that they can contact you.',
        },
      ],
    },
    footer: 'We use your answers to process your request.',
    consent:
      'I agree that the operator of this page and the companies that it matches my request with may contact me about ' +
      'this request by phone call, text message and email, at the number and the address that I entered, also with an ' +
      'automatic telephone dialing system and with artificial or prerecorded voices. My agreement is not a condition of ' +
      'any purchase. Message and data rates may apply. I can withdraw my agreement at any time.',
    purpose: 'Answering the request of the visitor',
    thanks: {
      title: 'Thank you!',
      text: 'We received your request. You will be contacted soon by phone or email.',
    },
    noBuyer: {
      title: 'Thank you for your request',
      text: 'We are sorry: right now, no company in our network can help you.',
    },
    notQualified: {
      title: 'Thank you for your time',
      text: 'Based on your answers, this offer is not a fit for you right now.',
    },
    yes: 'Yes',
    no: 'No',
  },
  templates: {
    lead_form: {
      /** Name and about are for the person who chooses a template. */
      name: 'Lead form',
      about: 'One page with a form: for visitors who know what they want',
      title: 'Get your free quote',
      description: 'Tell us what you need, and get a quote. Free, and with no obligation.',
      hero: {
        title: 'Get your free quote',
        subtitle: 'Tell us what you need. We find a company that can help you.',
      },
      contact: {
        title: 'Where can we reach you?',
        text: 'We send your quote there.',
        button: 'Get my quote',
      },
      cta: { label: 'Get my free quote', text: 'It takes two minutes.' },
    },
    quiz: {
      name: 'Quiz',
      about: 'One question at a time, answered by choosing; contact data at the end',
      title: 'Find out what fits you',
      description: 'Answer a few short questions, and find out what fits you.',
      hero: {
        title: 'Find out what fits you',
        subtitle: 'See your options in two minutes.',
      },
      contact: {
        title: 'Where should we send your result?',
        text: 'This is the last question.',
        button: 'See my result',
      },
      cta: { label: 'Get started', text: 'It takes two minutes.' },
    },
    appointment: {
      name: 'Appointment',
      about:
        'A visitor asks for a call or a visit, and says when if the campaign has a field for it',
      title: 'Book your free consultation',
      description: 'Book your free consultation. No cost, no obligation.',
      hero: {
        title: 'Book your free consultation',
        subtitle: 'Talk to a person who knows the subject. It is free.',
      },
      contact: {
        title: 'Who should we call?',
        text: 'We confirm your appointment by phone or by email.',
        button: 'Request my appointment',
      },
      cta: { label: 'Book my consultation', text: 'Free, and with no obligation.' },
    },
    vsl: {
      name: 'Video',
      about: 'A video that explains the offer, and a form below it',
      title: 'See how it works',
      description: 'A short video, and the next step.',
      hero: {
        title: 'See it in two minutes, then decide',
        subtitle: 'Watch the video, then tell us where to reach you.',
      },
      contact: {
        title: 'Interested?',
        text: 'Tell us where to reach you, and we take care of the rest.',
        button: 'Contact me',
      },
      cta: { label: 'I am interested', text: 'Free, and with no obligation.' },
    },
  },
};

export type LanguageCopy = typeof ENGLISH;
export type CommonCopy = LanguageCopy['common'];
