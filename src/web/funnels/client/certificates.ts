/** Third parties' certificates of consent: only those that the funnel uses, loaded after the form. */
import { hiddenInput, type FunnelPage } from './page.js';

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
  const script = document.createElement('script');
  script.async = true;
  script.src = address;
  document.head.append(script);
  return script;
}
