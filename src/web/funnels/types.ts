/**
 * What the pages of funnels are made from, and what a document holds for the script of the browser.
 *
 * A document is one form, whole without script:
 *
 *     <html lang dir>                               the script adds the class lw-on as soon as it runs
 *     <body><div class="page">
 *       <header> … <div class="block hero"> …       blocks before the first step: always shown
 *       <main id="lw-main">
 *         <ol class="progress" hidden?>             when definition.progress; an <li> for each step
 *         <div class="summary" id="lw-summary" role="alert" tabindex="-1" hidden?>
 *           <h2>…</h2><p class="notice">…</p><ul><li><a href="#f-phone">…</a></li></ul>
 *         <form id="lw-form" method="post" action="/f/{slug}" novalidate>
 *           <input type="hidden" name="t">          the token
 *           <input type="hidden" name="w">          the proof of work
 *           <input type="hidden" name="p">          address of the page (the script's, or the host page's)
 *           <input type="hidden" name="r">          referrer
 *           <input type="hidden" name="u.utm_source"> … one for each source field that the request had
 *           <input type="hidden" name="trustedform_cert_url">, name="jornaya_leadid" when set for the funnel
 *           <div class="between" data-with="{step}"> blocks that are shown with that step
 *           <fieldset class="step is-current?" id="step-{id}" data-step="{id}" data-kind="quiz_step|form">
 *             <legend><h2 id="h-{id}" tabindex="-1">…</h2></legend>
 *             radio: <input type="radio" name="f.{field}" value data-next="{step}" | data-end="{page}" required?>
 *             field: <input|select id="f-{field}" name="f.{field}" type inputmode autocomplete required? aria-describedby>
 *             <p class="error" id="e-{field}" hidden?></p>
 *             <div class="nav">
 *               <button type="button" class="back" data-go="back">      not on the first step; shown under lw-on only
 *               <button type="button" class="next" data-go="next">      not on the last step; shown under lw-on only
 *               <button type="submit" class="submit" id="lw-submit">    on the last step
 *           in the last step: <input type="checkbox" name="consent" id="f-consent" value="yes">, error e-consent
 *           <div class="lw-hp" aria-hidden="true"><input name="website" tabindex="-1" autocomplete="off">
 *       <div class="block cta"><a class="button" href="#step-{first}" data-go="current">
 *       <footer>
 *     <script type="application/json" id="lw-data">PageData</script>
 *
 * Steps that are not current are hidden by the stylesheet where scripts run (`@media (scripting: enabled)`), and come
 * back by themselves after a few seconds when the script never sets lw-on. The script moves `is-current` between
 * fieldsets and the elements of the same `data-with`.
 */
import type { TextName, FunnelTexts } from '../../funnels/rules/texts.js';

/** What is wrong with an answer. */
export interface PageFault {
  step: string;
  /** `consent` for the box. */
  field: string;
  text: TextName;
  /** For texts with {limit}. */
  limit?: number;
}

/** What a page holds besides the funnel. */
export interface PageState {
  /** Signed: the funnel, its version and the nonce of this visit. */
  token: string;
  /** What was sent before, by the names of the inputs: f.phone, consent, u.utm_source, p, r. */
  values?: Readonly<Record<string, string>>;
  faults?: readonly PageFault[];
  /** What is wrong with the whole: shown above the form, whose button then says `retry`. */
  notice?: PageNotice;
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

/** What the script reads from `#lw-data`. */
export interface PageData {
  /** Names what is kept in the browser: answers are not restored across versions. */
  funnel: string;
  version: number;
  /** Where scripts ask for work, and where steps are counted. */
  challenge: string;
  count: string;
  steps: PageStep[];
  texts: Pick<
    FunnelTexts,
    | 'sending'
    | 'retry'
    | 'submit'
    | 'step_of'
    | 'errors_title'
    | 'required'
    | 'invalid'
    | 'invalid_email'
    | 'invalid_phone'
    | 'invalid_zip'
    | 'invalid_date'
    | 'invalid_number'
    | 'too_long'
    | 'too_small'
    | 'too_large'
    | 'consent_required'
    | 'unavailable'
    | 'offline'
    | 'too_many'
    | 'expired'
    | 'wait'
  >;
  /** Third parties' scripts, where the funnel asks for them. */
  trusted_form: boolean;
  jornaya_campaign_id: string | null;
  /** Origins of pages that may frame this one: whom the script tells its height. */
  framed_by: string[];
}

export interface PageStep {
  id: string;
  /** Fields of the step, by their names. */
  fields: string[];
}
