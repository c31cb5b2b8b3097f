/** The built-in texts of funnel pages, in the languages that Leadwire has. */
import { definedOnly } from '../../lib/defined.js';
import { getOwn } from '../../lib/getOwn.js';

const EN = {
  back: 'Back',
  continue: 'Continue',
  submit: 'Submit',
  sending: 'Sending …',
  retry: 'Try again',
  step_of: 'Step {step} of {steps}',
  optional: '(optional)',
  choose: 'Please choose',
  errors_title: 'Please check your answers',
  required: 'Please answer this.',
  invalid: 'Please check this answer.',
  invalid_name: 'Please enter your first and last name.',
  invalid_email: 'Please enter an email address such as name@example.com.',
  invalid_phone: 'Please enter a phone number with 10 digits.',
  invalid_zip: 'Please enter a zip code with 5 digits.',
  invalid_date: 'Please enter a date.',
  invalid_number: 'Please enter a number.',
  too_long: 'This answer is too long.',
  too_small: 'Please enter {limit} or more.',
  too_large: 'Please enter {limit} or less.',
  consent_required: 'Please check the box to agree.',
  sellers: 'This agreement names: {sellers}',
  unavailable:
    'We cannot accept your answers right now. They are still on this page: please try again.',
  offline: 'You are offline. Your answers are still on this page: please try again.',
  refused: 'We cannot accept these answers.',
  too_many: 'Too many requests from your connection. Please wait a minute and try again.',
  expired: 'This page was open for too long. Please check your answers and try again.',
  closed_title: 'This form is closed',
  closed: 'This form is not accepting answers right now. Please come back later.',
  wait: 'One moment, please. Press the button again in {seconds} seconds.',
  test: 'Preview: submissions are tests and go only to test buyers.',
  play: 'Play the video',
  stars: '{rating} of 5 stars',
  state: 'State',
  yes: 'Yes',
  no: 'No',
} as const;

export type TextName = keyof typeof EN;
export type FunnelTexts = Record<TextName, string>;
/** What is said of an answer that cannot be accepted: the script of a page has all of them. */
export type FaultText = Extract<
  TextName,
  | 'required'
  | 'invalid'
  | `invalid_${string}`
  | `too_${'long' | 'small' | 'large'}`
  | 'consent_required'
>;
export const TEXT_NAMES = Object.keys(EN) as [TextName, ...TextName[]];

const ES: FunnelTexts = {
  back: 'Atrás',
  continue: 'Continuar',
  submit: 'Enviar',
  sending: 'Enviando…',
  retry: 'Enviar de nuevo',
  step_of: 'Paso {step} de {steps}',
  optional: '(opcional)',
  choose: 'Elija una opción',
  errors_title: 'Revise sus respuestas',
  required: 'Responda a esta pregunta.',
  invalid: 'Revise esta respuesta.',
  invalid_name: 'Escriba su nombre y su apellido.',
  invalid_email: 'Escriba un correo electrónico como nombre@example.com.',
  invalid_phone: 'Escriba un número de teléfono de 10 dígitos.',
  invalid_zip: 'Escriba un código postal de 5 dígitos.',
  invalid_date: 'Escriba una fecha.',
  invalid_number: 'Escriba un número.',
  too_long: 'Esta respuesta es demasiado larga.',
  too_small: 'Escriba {limit} o más.',
  too_large: 'Escriba {limit} o menos.',
  consent_required: 'Marque la casilla para aceptar.',
  sellers: 'Este consentimiento nombra a: {sellers}',
  unavailable: 'No podemos recibir sus respuestas en este momento. Siguen aquí: envíelas de nuevo.',
  offline: 'No hay conexión. Sus respuestas siguen aquí: envíelas de nuevo.',
  refused: 'No podemos aceptar estas respuestas.',
  too_many: 'Llegaron demasiadas solicitudes desde su conexión. Espere un minuto y envíe de nuevo.',
  expired:
    'Esta página estuvo abierta demasiado tiempo. Revise sus respuestas y envíelas de nuevo.',
  closed_title: 'Este formulario está cerrado',
  closed: 'Este formulario no recibe respuestas en este momento. Vuelva más tarde.',
  wait: 'Un momento, por favor. Pulse el botón de nuevo en {seconds} segundos.',
  test: 'Vista previa: lo que envíe es una prueba y solo llega a compradores de prueba.',
  play: 'Reproducir el video',
  stars: '{rating} de 5 estrellas',
  state: 'Estado',
  yes: 'Sí',
  no: 'No',
};

const BY_LANGUAGE: Record<string, FunnelTexts> = { en: EN, es: ES };

/** Whether Leadwire has its own texts in this language; where not, a definition gives all of them. */
export const hasTexts = (language: string): boolean => textsIn(language) !== undefined;

const textsIn = (language: string): FunnelTexts | undefined =>
  getOwn(BY_LANGUAGE, language.toLowerCase().split('-', 1)[0] ?? '');

/** @param own texts of the definition, which replace Leadwire's */
export const funnelTexts = (
  language: string,
  own: Partial<Record<TextName, string>>,
): FunnelTexts => ({ ...(textsIn(language) ?? EN), ...definedOnly(own) });
