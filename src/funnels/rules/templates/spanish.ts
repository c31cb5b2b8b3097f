/** The Spanish texts of templates. */
import type { LanguageCopy } from './english.js';

export const SPANISH: LanguageCopy = {
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
    request: { title: 'Su solicitud', text: 'Unas respuestas y sus datos de contacto.' },
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
      'también con sistemas de marcación automática y con voces artificiales o pregrabadas. Mi consentimiento no es ' +
      'condición de ninguna compra. Pueden aplicarse tarifas de mensajes y datos. Puedo retirar mi consentimiento en ' +
      'cualquier momento.',
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
      cta: { label: 'Empezar las preguntas', text: 'Solo toma dos minutos.' },
    },
    appointment: {
      name: 'Cita',
      about:
        'El visitante pide una llamada o una visita, y dice cuándo si la campaña tiene un campo para ello',
      title: 'Reserve su consulta gratis',
      description: 'Reserve su consulta gratis. Sin costo y sin compromiso.',
      hero: {
        title: 'Reserve su consulta gratis',
        subtitle: 'Hable con alguien que conoce el tema. No le cuesta nada.',
      },
      contact: {
        title: '¿A quién llamamos?',
        text: 'Confirmamos su cita por teléfono o por correo electrónico.',
        button: 'Pedir mi cita',
      },
      cta: { label: 'Reservar mi consulta', text: 'Gratis y sin compromiso.' },
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
        title: '¿Le interesa?',
        text: 'Díganos dónde contactarle y nos encargamos del resto.',
        button: 'Quiero que me contacten',
      },
      cta: { label: 'Me interesa', text: 'Gratis y sin compromiso.' },
    },
  },
};
