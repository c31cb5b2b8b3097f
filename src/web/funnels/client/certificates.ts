/** Certificates of consent, of third parties: only what the funnel asks for, and after the form is there. */
import { hiddenInput, type FunnelPage } from './page.js';

export function loadCertificates({ form, data }: FunnelPage): void {
  if (data.trusted_form) {
    const field = 'xxTrustedFormCertUrl';
    hiddenInput(form, field);
    // Without a number of its own the script would come from the cache, and make no certificate.
    const once = `${Date.now()}${Math.random()}`;
    load(`https://api.trustedform.com/trustedform.js?field=${field}&l=${once}`);
  }
  if (data.jornaya_campaign_id !== null) {
    // Jornaya finds the input by this id, and its own script too.
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
