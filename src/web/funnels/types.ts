/**
 * What the pages of funnels are made from, and what a document holds for the script of the browser.
 *
 * A document is one form, whole without script:
 *
 *     <html lang dir>                               the script adds the class lw-on as soon as it runs; lw-framed in a frame
 *     <body><div class="stage"><header>             logo; of a preview: that it is one
 *       <main id="lw-main">
 *         <div class="top"><div class="intro">      blocks before the first step: always shown
 *           <div class="panel">
 *             <div class="progress lw-js" id="lw-progress">  when definition.progress and more than one step
 *               <p id="lw-step-of">Step 1 of 4</p><ol aria-hidden="true"><li class="is-done|is-current">
 *             <div class="summary" id="lw-summary" role="alert" tabindex="-1" hidden?>
 *               <h2 hidden?> errors_title </h2><p hidden?> notice </p><ul><li><a href="#f-phone">
 *             <form id="lw-form" method="post" action="/f/{slug}" novalidate>
 *               <input type="hidden" name="t">      the token
 *               <input type="hidden" name="w">      the proof of work
 *               <input type="hidden" name="p">      address of the page (the script's, or the host page's)
 *               <input type="hidden" name="r">      referrer
 *               <input type="hidden" name="u.utm_source"> … one for each source field that the request had
 *               <input type="hidden" name="xxTrustedFormCertUrl">, <input id="leadid_token" name="universal_leadid">
 *                                                   when they are set for the funnel
 *               <div class="lw-hp" aria-hidden="true"><input name="website">
 *               <div class="between is-current?" data-with="{step}">  blocks that are shown with that step
 *               <fieldset class="step is-current?" id="step-{id}" data-step="{id}" data-kind="quiz_step|form">
 *                 <legend><h2 id="h-{id}" tabindex="-1">
 *                 quiz: <label class="option"><input type="radio" name="f.{field}" data-next="{step}" data-end="{page}">
 *                 form: <input|select|textarea id="f-{field}" name="f.{field}" required?
 *                          data-check="phone|email|zip|date|number|digits|url"? data-decimal=","? data-min data-max
 *                          maxlength>
 *                       few choices are radio inputs in <fieldset class="field choices">
 *                 <p class="error" id="e-{field}" data-error="{field}" hidden?>  one for each question
 *                 the last step: <input type="checkbox" id="f-consent" name="consent" value="yes">, its error e-consent
 *                 <div class="nav">
 *                   <button type="button" class="back lw-js" data-go="back">   not on the first step
 *                   <button type="button" class="next lw-js" data-go="next">   not on the last step
 *                   <button type="submit" class="submit" id="lw-submit">       on the last step
 *         <div class="after">                       blocks after the last step: always shown
 *           <a class="button" href="#lw-form" data-go="current">  of a cta
 *     <script type="application/json" id="lw-data">PageData</script>
 *
 * Where a field is asked again on another branch, ids are f-{step}-{field} and e-{step}-{field}: the script finds the
 * place of a fault within its step by data-error. Elements of the class lw-js are shown under lw-on alone. Steps that are
 * not current are hidden by the stylesheet where scripts run (`@media (scripting: enabled)`), and come back by themselves
 * after some seconds when the script never sets lw-on. The script moves `is-current` between fieldsets and the elements
 * of the same `data-with`; `is-moved` on a fieldset lets it come in softly.
 */
import type { FaultText, FunnelTexts } from '../../funnels/rules/texts.js';

/** A fault of an answer. */
export interface PageFault {
  step: string;
  /** `consent` for the box. */
  field: string;
  text: FaultText;
  /** For texts with {limit}. */
  limit?: number;
}

/** The content of a page in addition to the funnel. */
export interface PageState {
  /** Signed: the funnel, its version and the nonce of this visit. */
  token: string;
  /** What was sent before, by the names of the inputs: f.phone, consent, u.utm_source, p, r. */
  values?: Readonly<Record<string, string>>;
  faults?: readonly PageFault[];
  /** A fault of the whole: shown above the form, whose button then says `retry`. */
  notice?: PageNotice;
  /** The address of the site, for pictures that other sites show of the page; absent: none is named. */
  site?: string;
  /** Further hidden inputs of the form. */
  hidden?: Readonly<Record<string, string>>;
}

export interface PageNotice {
  text: 'unavailable' | 'refused' | 'too_many' | 'expired' | 'wait';
  /** For `wait`. */
  seconds?: number;
}

/** How a visit ends. */
export type FunnelResult =
  | { kind: 'thanks' | 'no_buyer' | 'refused' | 'closed' }
  | { kind: 'not_qualified'; /** Of not_qualified_pages. */ page: string };

/** The texts that the script shows. */
export const SCRIPT_TEXTS = [
  'sending',
  'retry',
  'step_of',
  'required',
  'invalid',
  'invalid_name',
  'invalid_email',
  'invalid_phone',
  'invalid_zip',
  'invalid_date',
  'invalid_number',
  'too_long',
  'too_small',
  'too_large',
  'consent_required',
  'unavailable',
  'offline',
  'too_many',
  'expired',
  'wait',
] as const satisfies (keyof FunnelTexts)[];

/** The data that the script reads from `#lw-data`. */
export interface PageData {
  /** Names the stored answers in the browser: they are not restored across versions. */
  funnel: string;
  version: number;
  /** Where the script requests work, and where it reports steps. */
  challenge: string;
  count: string;
  texts: Pick<FunnelTexts, (typeof SCRIPT_TEXTS)[number]>;
  /** Third parties' scripts, where the funnel uses them. */
  trusted_form: boolean;
  jornaya_campaign_id: string | null;
}
