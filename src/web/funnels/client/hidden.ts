/** Fills in hidden inputs that are sent with the answers: the sources of the visit, and certificates of consent. */
import { EMBED_QUERY, SOURCE_PARAMETERS, SOURCE_TEXT_MAX } from '../protocol.js';
import { hiddenInput, type FunnelPage } from './page.js';

/** Where the visitor came from. What the service has filled in already stays. */
export function noteSources(form: HTMLFormElement): void {
  const query = new URLSearchParams(location.search);
  const note = (name: string, value: string | null): void => {
    if (value === null || value === '') return;
    const input = hiddenInput(form, name);
    if (input.value === '') input.value = value.slice(0, SOURCE_TEXT_MAX);
  };
  for (const name of SOURCE_PARAMETERS) note(`u.${name}`, query.get(name));
  note('p', query.get(EMBED_QUERY.page) ?? location.href.replace(/#.*/, ''));
  note('r', query.get(EMBED_QUERY.referrer) ?? document.referrer);
}

/** Loads the certificates of consent that the funnel uses, of third parties, after the form. */
export function loadCertificates({ form, data }: FunnelPage): void {
  if (data.trusted_form) {
    const field = 'xxTrustedFormCertUrl';
    hiddenInput(form, field);
    // Without a new number the script would come from the cache, and make no certificate.
    const once = `${Date.now()}${Math.random()}`;
    load(`https://api.trustedform.com/trustedform.js?field=${field}&l=${once}`);
  }
  if (data.jornaya_campaign_id !== null) {
    // Jornaya's code finds the input, and its own script, by their ids.
    hiddenInput(form, 'universal_leadid').id = 'leadid_token';
    const campaign = encodeURIComponent(data.jornaya_campaign_id);
    const script = load(`https://create.lidstatic.com/campaign/${campaign}.js?snippet_version=2`);
    script.id = 'LeadiDscript_campaign';
  }
}

function load(address: string): HTMLScriptElement {
  const script = Object.assign(document.createElement('script'), { async: true, src: address });
  document.head.append(script);
  return script;
}
