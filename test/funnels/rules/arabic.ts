/** A brief in a language that Leadwire does not include, with all texts of its own. */
import type { FunnelTexts } from '../../../src/funnels/rules/texts.js';
import { mapping, yesNo, type Brief } from './mapping.js';

const ARABIC: FunnelTexts = {
  back: 'رجوع',
  continue: 'متابعة',
  submit: 'إرسال',
  sending: 'جار الإرسال',
  retry: 'إرسال مرة أخرى',
  step_of: 'الخطوة {step} من {steps}',
  optional: '(اختياري)',
  choose: 'اختر',
  errors_title: 'راجع إجاباتك',
  required: 'أجب من فضلك.',
  invalid: 'راجع هذه الإجابة.',
  invalid_name: 'اكتب الاسم الأول واسم العائلة.',
  invalid_email: 'اكتب بريدا مثل name@example.com.',
  invalid_phone: 'اكتب رقم هاتف من 10 أرقام.',
  invalid_zip: 'اكتب رمزا بريديا من 5 أرقام.',
  invalid_date: 'اكتب تاريخا.',
  invalid_number: 'اكتب رقما.',
  too_long: 'الإجابة طويلة جدا.',
  too_small: 'اكتب {limit} أو أكثر.',
  too_large: 'اكتب {limit} أو أقل.',
  consent_required: 'ضع علامة للموافقة.',
  sellers: 'تشمل الموافقة: {sellers}',
  unavailable: 'لا يمكننا استلام إجاباتك الآن. أرسلها مرة أخرى.',
  offline: 'لا يوجد اتصال. أرسل مرة أخرى.',
  refused: 'لا يمكننا قبول هذه الإجابات.',
  too_many: 'طلبات كثيرة. انتظر دقيقة.',
  expired: 'بقيت الصفحة مفتوحة طويلا. أرسل مرة أخرى.',
  closed_title: 'النموذج مغلق',
  closed: 'عد لاحقا.',
  wait: 'اضغط مرة أخرى بعد {seconds} ثوان.',
  test: 'معاينة: ما ترسله اختبار.',
  play: 'تشغيل الفيديو',
  stars: '{rating} من 5 نجوم',
  state: 'الولاية',
  yes: 'نعم',
  no: 'لا',
};

// "A law firm for car accidents wants its form in Arabic: when the accident was, whether they were hurt, contact data."
export const ACCIDENT: Brief = {
  title: 'a form in Arabic with texts of its own',
  fields: mapping({ name: 'accident_date', type: 'Date', required: true }, yesNo('injured')),
  definition: {
    language: 'ar',
    title: 'استشارة مجانية',
    blocks: [
      { id: 'top', type: 'hero', title: 'هل تعرضت لحادث سيارة؟', subtitle: 'استشارة مجانية.' },
      {
        id: 'injured',
        type: 'quiz_step',
        title: 'هل أصبت؟',
        field: 'injured',
        options: [
          { value: true, label: 'نعم' },
          { value: false, label: 'لا' },
        ],
      },
      {
        id: 'contact',
        type: 'form',
        title: 'كيف نتصل بك؟',
        fields: [
          { name: 'accident_date', label: 'تاريخ الحادث' },
          { name: 'full_name', label: 'الاسم الكامل' },
          { name: 'phone', label: 'الهاتف' },
          { name: 'email', label: 'البريد' },
        ],
      },
      {
        id: 'foot',
        type: 'footer',
        links: [{ label: 'الخصوصية', url: 'https://law.test/privacy' }],
      },
    ],
    consent: { text: 'أوافق على الاتصال بي.' },
    thanks: { title: 'شكرا' },
    no_buyer: { title: 'شكرا' },
    texts: ARABIC,
  },
};
