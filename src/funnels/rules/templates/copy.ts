/** What templates say, in each of their languages. */
import type { TemplateName } from './names.js';

export const TEMPLATE_LANGUAGES = ['en', 'es'] as const;
export type TemplateLanguage = (typeof TEMPLATE_LANGUAGES)[number];

/** What each template says in its own way. */
export interface TemplateCopy {
  /** For the person who chooses one. */
  name: string;
  about: string;
  title: string;
  description: string;
  hero: { title: string; subtitle: string };
  contact: { title: string; text: string; button: string };
  cta: { label: string; text: string };
}

/** What they all say. */
export interface CommonCopy {
  /** Labels of the system's fields; others have those of the mapping. */
  labels: Readonly<Record<string, string>>;
  details: { title: string; text: string };
  place: { title: string; text: string };
  time: { title: string; text: string };
  video: string;
  badges: { easy: string; free: string; safe: string };
  steps: { title: string; text: string };
  faq: { title: string; items: { question: string; answer: string }[] };
  footer: string;
  consent: string;
  purpose: string;
  thanks: { title: string; text: string };
  noBuyer: { title: string; text: string };
  notQualified: { title: string; text: string };
  yes: string;
  no: string;
}

export interface LanguageCopy {
  common: CommonCopy;
  templates: Record<TemplateName, TemplateCopy>;
}

const EN: LanguageCopy = {
  common: {
    labels: {
      full_name: 'Full name',
      first_name: 'First name',
      last_name: 'Last name',
      email: 'Email',
      phone: 'Phone number',
      state: 'State',
      zip_code: 'Zip code',
      source: 'How did you find us?',
    },
    details: {
      title: 'A few details',
      text: 'They help us to find who can help you best.',
    },
    place: { title: 'Where are you?', text: 'Offers differ from place to place.' },
    time: {
      title: 'When suits you best?',
      text: 'Choose a time. You can still change it when we call.',
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
        'You answer a few questions, and leave your phone number and email.\n\n' +
        'We look for a company that fits your request.\n\n' +
        'It contacts you, answers your questions and makes you an offer. You decide.',
    },
    faq: {
      title: 'Questions and answers',
      items: [
        {
          question: 'What does it cost?',
          answer: 'Nothing. Asking is free, and it obliges you to nothing.',
        },
        {
          question: 'What happens after I send my answers?',
          answer:
            'We look for a company that fits your request. It contacts you by phone, text message or email.',
        },
        {
          question: 'Who gets my answers?',
          answer: 'The companies that we match your request with, so that they can answer it.',
        },
      ],
    },
    footer: 'Your answers are used to answer your request.',
    consent:
      'I agree that the operator of this page and the companies that it matches my request with may contact me about ' +
      'this request by phone call, text message and email, at the number and the address that I entered, also by ' +
      'automated means and with recorded voices. My agreement is not a condition of any purchase. Message and data ' +
      'rates may apply. I can withdraw my agreement at any time.',
    purpose: 'Answering the request of the visitor',
    thanks: {
      title: 'Thank you!',
      text: 'We have your answers. Somebody will contact you soon, by phone or by email.',
    },
    noBuyer: {
      title: 'Thank you for your request',
      text: 'At the moment we know no company that can help you with it. We are sorry.',
    },
    notQualified: {
      title: 'Thank you for your time',
      text: 'By your answers, this offer does not fit you at the moment.',
    },
    yes: 'Yes',
    no: 'No',
  },
  templates: {
    lead_form: {
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
        text: 'So that your quote gets to you.',
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
        subtitle: 'A few short questions, and you know more.',
      },
      contact: {
        title: 'Where may we send your result?',
        text: 'This is the last question.',
        button: 'See my result',
      },
      cta: { label: 'Begin the questions', text: 'It takes one minute.' },
    },
    appointment: {
      name: 'Appointment',
      about: 'A visitor asks for a call or a visit, and says when',
      title: 'Book your free consultation',
      description: 'Choose a time for your free consultation. No cost, no obligation.',
      hero: {
        title: 'Book your free consultation',
        subtitle: 'Talk to somebody who knows the subject. It costs you nothing.',
      },
      contact: {
        title: 'Whom shall we call?',
        text: 'We confirm your appointment by phone or by email.',
        button: 'Ask for my appointment',
      },
      cta: { label: 'Choose a time', text: 'Free, and with no obligation.' },
    },
    vsl: {
      name: 'Video',
      about: 'A video that explains the offer, and a form below it',
      title: 'See how it works',
      description: 'A short video, and the next step.',
      hero: {
        title: 'See it in two minutes, and decide',
        subtitle: 'Watch the video, and tell us where we can reach you.',
      },
      contact: {
        title: 'Does it convince you?',
        text: 'Leave your contact data, and we take care of the rest.',
        button: 'Contact me',
      },
      cta: { label: 'I am interested', text: 'Free, and with no obligation.' },
    },
  },
};

const ES: LanguageCopy = {
  common: {
    labels: {
      full_name: 'Nombre y apellido',
      first_name: 'Nombre',
      last_name: 'Apellido',
      email: 'Correo electrónico',
      phone: 'Número de teléfono',
      state: 'Estado',
      zip_code: 'Código postal',
      source: '¿Cómo nos encontró?',
    },
    details: {
      title: 'Algunos datos más',
      text: 'Nos ayudan a encontrar a quien mejor puede atenderle.',
    },
    place: { title: '¿Dónde se encuentra?', text: 'Las ofertas cambian según el lugar.' },
    time: {
      title: '¿Cuándo le viene mejor?',
      text: 'Elija un momento. Puede cambiarlo cuando le llamemos.',
    },
    video: 'Vea cómo funciona',
    badges: {
      easy: 'Listo en dos minutos',
      free: 'Gratis y sin compromiso',
      safe: 'Conexión cifrada',
    },
    steps: {
      title: 'Cómo funciona',
      text:
        'Usted responde a unas preguntas y deja su teléfono y su correo electrónico.\n\n' +
        'Buscamos una empresa adecuada para su solicitud.\n\n' +
        'La empresa se comunica con usted, responde a sus preguntas y le hace una oferta. Usted decide.',
    },
    faq: {
      title: 'Preguntas y respuestas',
      items: [
        {
          question: '¿Cuánto cuesta?',
          answer: 'Nada. Preguntar es gratis y no le compromete a nada.',
        },
        {
          question: '¿Qué pasa después de enviar mis respuestas?',
          answer:
            'Buscamos una empresa adecuada para su solicitud. Ella le contacta por teléfono, mensaje de texto o correo.',
        },
        {
          question: '¿Quién recibe mis respuestas?',
          answer: 'Las empresas que elegimos para su solicitud, para que puedan atenderla.',
        },
      ],
    },
    footer: 'Sus respuestas se usan para atender su solicitud.',
    consent:
      'Acepto que el operador de esta página y las empresas que elija para mi solicitud se comuniquen conmigo acerca de ' +
      'ella por llamada telefónica, mensaje de texto y correo electrónico, en el número y la dirección que he escrito, ' +
      'también por medios automatizados y con voces grabadas. Mi consentimiento no es condición de ninguna compra. ' +
      'Pueden aplicarse tarifas de mensajes y datos. Puedo retirar mi consentimiento en cualquier momento.',
    purpose: 'Atender la solicitud del visitante',
    thanks: {
      title: '¡Gracias!',
      text: 'Hemos recibido sus respuestas. Pronto le contactaremos por teléfono o por correo electrónico.',
    },
    noBuyer: {
      title: 'Gracias por su solicitud',
      text: 'Por ahora no conocemos ninguna empresa que pueda ayudarle. Lo sentimos.',
    },
    notQualified: {
      title: 'Gracias por su tiempo',
      text: 'Según sus respuestas, esta oferta no es para usted por el momento.',
    },
    yes: 'Sí',
    no: 'No',
  },
  templates: {
    lead_form: {
      name: 'Formulario',
      about: 'Una página con un formulario: para visitantes que saben lo que quieren',
      title: 'Pida su cotización gratis',
      description: 'Díganos qué necesita y reciba una cotización. Gratis y sin compromiso.',
      hero: {
        title: 'Pida su cotización gratis',
        subtitle: 'Díganos qué necesita. Encontramos una empresa que puede ayudarle.',
      },
      contact: {
        title: '¿Dónde podemos contactarle?',
        text: 'Para que reciba su cotización.',
        button: 'Recibir mi cotización',
      },
      cta: { label: 'Quiero mi cotización gratis', text: 'Solo toma dos minutos.' },
    },
    quiz: {
      name: 'Cuestionario',
      about: 'Una pregunta a la vez, que se responde eligiendo; los datos de contacto al final',
      title: 'Descubra qué le conviene',
      description: 'Responda a unas preguntas breves y descubra qué le conviene.',
      hero: {
        title: 'Descubra qué le conviene',
        subtitle: 'Unas preguntas breves, y sabrá más.',
      },
      contact: {
        title: '¿A dónde enviamos su resultado?',
        text: 'Es la última pregunta.',
        button: 'Ver mi resultado',
      },
      cta: { label: 'Empezar las preguntas', text: 'Solo toma un minuto.' },
    },
    appointment: {
      name: 'Cita',
      about: 'El visitante pide una llamada o una visita, y dice cuándo',
      title: 'Reserve su consulta gratis',
      description: 'Elija un momento para su consulta gratis. Sin costo y sin compromiso.',
      hero: {
        title: 'Reserve su consulta gratis',
        subtitle: 'Hable con alguien que conoce el tema. No le cuesta nada.',
      },
      contact: {
        title: '¿A quién llamamos?',
        text: 'Confirmamos su cita por teléfono o por correo electrónico.',
        button: 'Pedir mi cita',
      },
      cta: { label: 'Elegir un momento', text: 'Gratis y sin compromiso.' },
    },
    vsl: {
      name: 'Video',
      about: 'Un video que explica la oferta, y un formulario debajo',
      title: 'Vea cómo funciona',
      description: 'Un video breve, y el siguiente paso.',
      hero: {
        title: 'Véalo en dos minutos y decida',
        subtitle: 'Vea el video y díganos dónde podemos contactarle.',
      },
      contact: {
        title: '¿Le convence?',
        text: 'Deje sus datos de contacto y nosotros nos encargamos del resto.',
        button: 'Quiero que me contacten',
      },
      cta: { label: 'Me interesa', text: 'Gratis y sin compromiso.' },
    },
  },
};

export const TEMPLATE_COPY: Record<TemplateLanguage, LanguageCopy> = { en: EN, es: ES };
